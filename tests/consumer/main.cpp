// A program outside the tree: LuGre by its type and by its name must give the same force.
#include <cstdio>

#include "bristle/friction/any_law.hpp"
#include "bristle/friction/lugre.hpp"

int main() {
  const double by_type = bristle::LuGre<>{}.steady(bristle::Tangent<double, 1>(1e-3), 10.0)[0];
  const double by_name = bristle::AnyLaw("lugre").steady(1e-3, 10.0);
  std::printf("LuGre at 1 mm/s under 10 N: %.6f N\n", by_type);
  return by_type == by_name ? 0 : 1;
}
