#include "links.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "bristle/system/mechanism.hpp"

namespace bristle::detail {
namespace {

double mass_of(const mjModel& m, int body) { return m.body_mass[body] > 0 ? m.body_mass[body] : 1; }

MujocoLink geom_link(const mjModel& m, const std::string& name, int geom) {
  const MujocoGeom found = geom_shape(m, geom);
  const int body = m.geom_bodyid[geom];
  return {.name = name,
          .shape = found.shape,
          .body = body,
          .at = found.at,
          .geom = geom,
          .mass = mass_of(m, body)};
}

[[noreturn]] void refuse(const mjModel& m, const std::string& name) {
  std::vector<std::string> names = mujoco_names(m, mjOBJ_GEOM);
  for (const mjtObj kind : {mjOBJ_BODY, mjOBJ_SITE}) {
    for (std::string& more : mujoco_names(m, kind)) {
      if (std::find(names.begin(), names.end(), more) == names.end()) {
        names.push_back(std::move(more));
      }
    }
  }
  throw InputError({.message = "the model has no geom, body or site of this name",
                    .value = name,
                    .expected = one_of(names),
                    .nearest = nearest_name(name, names)});
}

}  // namespace

std::vector<MujocoLink> find_links(const mjModel& m, const std::string& name) {
  const int geom = mj_name2id(&m, mjOBJ_GEOM, name.c_str());
  if (geom >= 0) return {geom_link(m, name, geom)};
  const int site = mj_name2id(&m, mjOBJ_SITE, name.c_str());
  if (site >= 0) {
    const int body = m.site_bodyid[site];
    return {{.name = name,
             .body = body,
             .at = {mujoco_vector(m.site_pos + 3 * site), mujoco_rotation(m.site_quat + 4 * site)},
             .mass = mass_of(m, body)}};
  }
  const int body = mj_name2id(&m, mjOBJ_BODY, name.c_str());
  if (body < 0) refuse(m, name);
  const int count = m.body_geomnum[body];
  if (count == 0) throw InputError({.message = "this body has no geom", .value = name});
  std::vector<MujocoLink> links;
  for (int i = 0; i < count; ++i) {
    links.push_back(geom_link(m, count == 1 ? name : fmt::format("{}-{}", name, i + 1),
                              m.body_geomadr[body] + i));
  }
  return links;
}

void check_speeds(const mjModel& m) {
  if (m.nv == 0) throw InputError({.message = "the model has no joint that moves"});
  if (m.nv > Mechanism::most_speeds) {
    throw InputError(
        {.message = fmt::format("the model has {} degrees of freedom", m.nv),
         .expected = fmt::format("at most {}", static_cast<int>(Mechanism::most_speeds))});
  }
}

}  // namespace bristle::detail
