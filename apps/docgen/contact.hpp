#pragma once

// A single contact on a line under the load of all examples, through the run-time interface.

#include "docgen.hpp"

namespace bristle::docgen {

class LoneContact {
 public:
  explicit LoneContact(const AnyLaw& law)
      : group_(law.line(1)), kept_(static_cast<std::size_t>(group_->state_size())) {
    group_->reset(0, load);
    keep();
  }

  static Slip<double, 1> slip(double v, double holding = 0) {
    Slip<double, 1> at = sliding<double, 1>(Tangent<double, 1>(v), load);
    at.f_e = Tangent<double, 1>(holding);
    return at;
  }

  /// Force at the end of a step at constant v.
  double advance(double v, double dt, double holding = 0) {
    const Slip<double, 1> at = slip(v, holding);
    group_->advance({&at, 1}, dt);
    return force(v, holding);
  }
  double force(double v, double holding = 0) const {
    const Slip<double, 1> at = slip(v, holding);
    Tangent<double, 1> result(0.0);
    group_->force({&at, 1}, {&result, 1});
    return result[0];
  }
  double dissipation(double v) const { return group_->dissipation(0, slip(v)); }
  double stored() const { return group_->stored(0, load); }
  void jump(double v, double holding) { group_->jump(0, slip(v, holding)); }

  /// The present state, and the way back to it.
  void keep() { group_->save(0, kept_); }
  void go_back() { group_->restore(0, kept_); }
  const std::vector<double>& kept() const { return kept_; }
  std::vector<StateColumn> columns() const { return group_->columns(); }

 private:
  std::unique_ptr<Group<1>> group_;
  std::vector<double> kept_;
};

}  // namespace bristle::docgen
