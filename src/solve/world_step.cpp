#include <stdexcept>

#include "bristle/solve/integrator.hpp"
namespace bristle {
std::unique_ptr<Integrator> make_world_step(WorldDynamics&, double) {
  throw std::logic_error("todo");
}
}  // namespace bristle
