// Friction over a plane area, and what two solids share.

#include <cmath>

#include "bristle/area/exact.hpp"
#include "bristle/scenario/area.hpp"
#include "bristle/scenario/interference.hpp"
#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

/// Motions (v, ω) = (cos θ, sin θ), sliding towards φ.
class AreaFriction final : public Source {
 public:
  explicit AreaFriction(const Node& node)
      : area_(read_area(node)),
        law_(read_area_law(node, area_)),
        theta_(node["theta"].exists() ? fixed_values(node["theta"]) : Values{0}),
        phi_(node["phi"].number(0.0)) {}

  Data compute(const Lookup&) const override {
    Data data{{"theta", theta_}, {"T_x", {}}, {"T_y", {}}, {"M", {}}};
    for (const double theta : theta_) {
      const Planar wrench = law_->sliding(
          {std::cos(theta) * std::cos(phi_), std::cos(theta) * std::sin(phi_), std::sin(theta)});
      data["T_x"].push_back(wrench[0]);
      data["T_y"].push_back(wrench[1]);
      data["M"].push_back(wrench[2]);
    }
    data["c001m"] = {area_moment(area_, 0, 0, -1)};
    data["c010"] = {area_moment(area_, 0, 1, 0)};
    data["c100"] = {area_moment(area_, 1, 0, 0)};
    data["c011"] = {area_moment(area_, 0, 1, 1)};
    data["c101"] = {area_moment(area_, 1, 0, 1)};
    data["r_gyr"] = {area_.gyration()};
    return data;
  }

 private:
  PressedArea area_;
  std::unique_ptr<AreaLaw> law_;
  Values theta_;
  double phi_;
};

class CommonVolume final : public Source {
 public:
  explicit CommonVolume(const Node& node) : pair_(read_interference(node)) {}

  Data compute(const Lookup&) const override {
    const std::vector<Overlap> pieces = pair_.overlaps();
    if (pieces.empty()) return {{"V", {0}}};
    const Patch patch = pair_.patch(together(pieces));
    Data data{{"V", {patch.volume}},
              {"A", {patch.area}},
              {"depth", {patch.depth}},
              {"mean_depth", {patch.mean_depth}},
              {"r_gyr", {patch.r_gyr}},
              {"p_z", {patch.volume_centroid[2]}},
              {"s_z", {patch.surface_centroid[2]}}};
    const auto add = [&](const char* name, const Matrix3& tensor) {
      for (int i = 0; i < 3; ++i) {
        data[fmt::format("{}_{}{}", name, "xyz"[i], "xyz"[i])] = {tensor(i, i)};
      }
    };
    add("J_V", patch.J_V);
    add("J_s", patch.J_s);
    add("M", patch.M);
    return data;
  }

 private:
  Interference pair_;
};

}  // namespace

SourcePtr read_area_source(const Node& node, const std::string&) {
  return std::make_shared<const AreaFriction>(node);
}
SourcePtr read_overlap(const Node& node, const std::string&) {
  return std::make_shared<const CommonVolume>(node);
}

}  // namespace bristle::papers::detail
