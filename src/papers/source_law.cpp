// Laws on their own: steady friction over velocity, and free impacts over speed.

#include <cmath>

#include "bristle/friction/any_law.hpp"
#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/impact.hpp"
#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

class SteadyCurve final : public Source {
 public:
  explicit SteadyCurve(const Node& node)
      : settings_(node["set"].settings()),
        law_(make_law(node["law"].text(), settings_)),
        v_(fixed_values(node["v"])),
        load_(node["load"].number(1.0, at_least(0))) {}

  Data compute(const Lookup&) const override {
    Values force;
    for (const double v : v_) force.push_back(law_.steady(v, load_));
    return {{"v", v_}, {"F", force}};
  }
  std::string command() const override {
    return fmt::format("bristle curve {}{} --v={}:{}:{} --fn {}", law_.name(),
                       set_options(settings_), v_.front(), v_.back(), v_.size(), load_);
  }

 private:
  std::vector<Setting> settings_;
  AnyLaw law_;
  Values v_;
  double load_;
};

class FreeImpact final : public Source {
 public:
  explicit FreeImpact(const Node& node)
      : law_(make_normal(node["law"].text(), node["set"].settings())),
        v_(fixed_values(node["v"])),
        mass_(node["mass"].quantity(dim::mass, 1.0, above(0))) {}

  Data compute(const Lookup&) const override {
    Data data{{"v", v_}};
    for (const double v : v_) {
      const normal::Impact impact = normal::integrate_impact(law_.latch(v), mass_, v);
      data["asked"].push_back(law_.requested(v));
      data["closed"].push_back(law_.achieved(v));
      data["integrated"].push_back(impact.e);
      data["depth"].push_back(impact.depth);
      data["duration"].push_back(impact.duration);
    }
    return data;
  }
  std::string command() const override {
    return fmt::format("bristle restitution --law {}", law_.name());
  }

 private:
  AnyNormal law_;
  Values v_;
  double mass_;
};

}  // namespace

SourcePtr read_curve_source(const Node& node, const std::string&) {
  return std::make_shared<const SteadyCurve>(node);
}
SourcePtr read_impact(const Node& node, const std::string&) {
  return std::make_shared<const FreeImpact>(node);
}

}  // namespace bristle::papers::detail
