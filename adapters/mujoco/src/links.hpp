#pragma once

// What of a model can be touched, by name.

#include <string>
#include <vector>

#include "bristle/mujoco/model.hpp"

namespace bristle::detail {

struct MujocoLink {
  std::string name{};
  Shape shape = Point{};
  int body = 0;
  Pose at{};      ///< of the shape in the body's frame
  int geom = -1;  ///< −1: a site
  double mass = 1;
};

/// A geom; a site, as a point; or all geoms of a body, numbered if there are several. InputError
/// for a name that is not there, and for a body without geoms.
std::vector<MujocoLink> find_links(const mjModel& model, const std::string& name);

/// InputError for a model that does not move, or has more speeds than a Mechanism may have.
void check_speeds(const mjModel& model);

}  // namespace bristle::detail
