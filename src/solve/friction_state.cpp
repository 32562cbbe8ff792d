#include "bristle/solve/friction_state.hpp"

#include <algorithm>

namespace bristle {
namespace {

template <int D>
class StateOn final : public FrictionState {
 public:
  explicit StateOn(std::unique_ptr<Group<D>> group)
      : group_(std::move(group)), columns_(group_->columns()) {
    const auto n = static_cast<std::size_t>(group_->state_size());
    all_.resize(n);
    rates_.resize(n);
    force_by_.resize(D * (D + 1 + n));
    rate_by_.resize(n * (D + 1 + n));
    for (std::size_t i = 0; i < n; ++i) {
      if (!columns_[i].discrete) real_.push_back(i);
      if (columns_[i].name == "mode") mode_ = i;
    }
  }

  int size() const noexcept override { return static_cast<int>(real_.size()); }
  void put(std::span<const double> z) noexcept override {
    if (real_.empty()) return;
    if (real_.size() != all_.size()) group_->save(0, all_);
    for (std::size_t k = 0; k < real_.size(); ++k) all_[real_[k]] = z[k];
    group_->restore(0, all_);
  }
  void get(std::span<double> z) const noexcept override {
    if (real_.empty()) return;
    group_->save(0, all_);
    for (std::size_t k = 0; k < real_.size(); ++k) z[k] = all_[real_[k]];
  }
  std::vector<StateColumn> columns() const override {
    std::vector<StateColumn> list;
    for (const std::size_t i : real_) list.push_back(columns_[i]);
    return list;
  }
  int mode() const noexcept override {
    if (mode_ == none) return -1;
    group_->save(0, all_);
    return static_cast<int>(all_[mode_]);
  }

  Planar force(const ContactSlip& slip) const noexcept override {
    const Slip<double, D> s = narrow(slip);
    Tangent<double, D> f;
    group_->force({&s, 1}, {&f, 1});
    return widen(f);
  }
  void rate(const ContactSlip& slip, std::span<double> dz) const noexcept override {
    if (real_.empty()) return;
    group_->rate(0, narrow(slip), rates_);
    for (std::size_t k = 0; k < real_.size(); ++k) dz[k] = rates_[real_[k]];
  }
  void respond(std::span<const double> z, const ContactSlip& slip, Planar& force,
               std::span<double> dz, double& dissipation) noexcept override {
    put(z);
    Tangent<double, D> f;
    group_->respond(0, narrow(slip), f, rates_, dissipation);
    for (int k = 0; k < D; ++k) force[k] = f[k];
    for (std::size_t k = 0; k < real_.size(); ++k) dz[k] = rates_[real_[k]];
  }
  void derivatives(const ContactSlip& slip, std::span<double> matrix) const noexcept override {
    group_->derivatives(0, narrow(slip), force_by_, rate_by_);
    const std::size_t width = D + real_.size(), full = D + 1 + all_.size();
    const auto copy_row = [&](std::span<const double> from, std::size_t row, std::size_t to) {
      for (std::size_t c = 0; c < D; ++c) matrix[to * width + c] = from[row * full + c];
      for (std::size_t k = 0; k < real_.size(); ++k) {
        matrix[to * width + D + k] = from[row * full + D + 1 + real_[k]];
      }
    };
    for (std::size_t r = 0; r < D; ++r) copy_row(force_by_, r, r);
    for (std::size_t k = 0; k < real_.size(); ++k) copy_row(rate_by_, real_[k], D + k);
  }
  void by_parameters(const ContactSlip& slip, const Replay& law, std::span<const double> values,
                     std::span<double> matrix) const noexcept override {
    if constexpr (D == 1) {
      const std::size_t width = values.size();
      slopes_.resize(all_.size() * width);
      group_->save(0, all_);
      law.slopes(values, narrow(slip), all_, matrix.first(width), slopes_);
      for (std::size_t k = 0; k < real_.size(); ++k) {
        const auto row = slopes_.begin() + static_cast<long>(real_[k] * width);
        std::copy_n(row, width, matrix.begin() + static_cast<long>((1 + k) * width));
      }
    }
  }
  double guard(const ContactSlip& slip) const noexcept override {
    return group_->guard(0, narrow(slip));
  }
  void jump(const ContactSlip& slip) noexcept override { group_->jump(0, narrow(slip)); }
  void advance(const ContactSlip& slip, double dt) noexcept override {
    const Slip<double, D> s = narrow(slip);
    group_->advance({&s, 1}, dt);
  }
  Planar mean_force(const ContactSlip& slip, double dt) const noexcept override {
    return widen(group_->mean_force(0, narrow(slip), dt));
  }
  void relax(double fn) noexcept override { group_->relax(0, fn); }
  void reset(double fn) noexcept override { group_->reset(0, fn); }
  double stored(double fn) const noexcept override { return group_->stored(0, fn); }
  double dissipation(const ContactSlip& slip) const noexcept override {
    return group_->dissipation(0, narrow(slip));
  }
  int numbers() const noexcept override { return static_cast<int>(all_.size()); }
  void save(std::span<double> numbers) const noexcept override {
    if (!numbers.empty()) group_->save(0, numbers);
  }
  void restore(std::span<const double> numbers) noexcept override {
    if (!numbers.empty()) group_->restore(0, numbers);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  static Tangent<double, D> cut(const Planar& v) noexcept { return v.template head<D>(); }
  static Planar widen(const Tangent<double, D>& f) noexcept {
    Planar wide = Planar::Zero();
    wide.template head<D>() = f;
    return wide;
  }
  static Slip<double, D> narrow(const ContactSlip& slip) noexcept {
    return {cut(slip.v), slip.fn, cut(slip.f_e), cut(slip.v_lag), slip.keep_mode};
  }

  std::unique_ptr<Group<D>> group_;
  std::vector<StateColumn> columns_;
  std::vector<std::size_t> real_;
  std::size_t mode_ = none;
  mutable std::vector<double> all_, rates_, force_by_, rate_by_, slopes_;
};

/// A law without memory spread over an area: (F, M) = f(Λ) (T_s, M_s), where Λ is the speed that
/// the area law makes of the motion and f the law on a line.
class StateOverArea final : public FrictionState {
 public:
  StateOverArea(std::unique_ptr<Group<1>> group, const AreaLaw& area)
      : group_(std::move(group)), area_(area) {}

  int size() const noexcept override { return 0; }
  void put(std::span<const double>) noexcept override {}
  void get(std::span<double>) const noexcept override {}
  std::vector<StateColumn> columns() const override { return {}; }
  int mode() const noexcept override { return -1; }

  Planar force(const ContactSlip& slip) const noexcept override {
    const double speed = area_.speed(slip.v);
    if (!(speed > 0)) return Planar::Zero();
    return level(speed, slip.fn) * area_.sliding(slip.v);
  }
  void rate(const ContactSlip&, std::span<double>) const noexcept override {}
  void respond(std::span<const double>, const ContactSlip& slip, Planar& f, std::span<double>,
               double& lost) noexcept override {
    f = force(slip);
    lost = f.dot(slip.v);
  }
  void derivatives(const ContactSlip& slip, std::span<double> matrix) const noexcept override {
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> by_v(matrix.data());
    const double speed = area_.speed(slip.v);
    if (speed > 1e-140) {
      by_v =
          slope(speed, slip.fn) * area_.sliding(slip.v) * area_.speed_gradient(slip.v).transpose() +
          level(speed, slip.fn) * area_.derivative(slip.v);
      return;
    }
    // At rest a smooth law is linear, with the stiffness that it has along each axis.
    for (int k = 0; k < 3; ++k) {
      const Planar unit = Planar::Unit(k);
      by_v.col(k) = slope(0, slip.fn) * area_.speed(unit) * area_.sliding(unit);
    }
  }
  double guard(const ContactSlip&) const noexcept override { return -1; }
  void jump(const ContactSlip&) noexcept override {}
  void advance(const ContactSlip&, double) noexcept override {}
  Planar mean_force(const ContactSlip& slip, double) const noexcept override { return force(slip); }
  void relax(double) noexcept override {}
  void reset(double) noexcept override {}
  double stored(double) const noexcept override { return 0; }
  double dissipation(const ContactSlip& slip) const noexcept override {
    return force(slip).dot(slip.v);
  }
  int numbers() const noexcept override { return 0; }
  void save(std::span<double>) const noexcept override {}
  void restore(std::span<const double>) noexcept override {}

 private:
  static Slip<double, 1> along(double speed, double fn) noexcept {
    Slip<double, 1> slip;
    slip.v[0] = slip.v_lag[0] = speed;
    slip.fn = fn;
    return slip;
  }
  double level(double speed, double fn) const noexcept {
    const Slip<double, 1> slip = along(speed, fn);
    Tangent<double, 1> f;
    group_->force({&slip, 1}, {&f, 1});
    return f[0];
  }
  double slope(double speed, double fn) const noexcept {
    std::array<double, 2> by{};  // of the speed and of the load
    group_->derivatives(0, along(speed, fn), by, {});
    return by[0];
  }

  std::unique_ptr<Group<1>> group_;
  const AreaLaw& area_;
};

}  // namespace

void FrictionState::by_parameters(const ContactSlip&, const Replay&, std::span<const double>,
                                  std::span<double>) const noexcept {}

std::unique_ptr<FrictionState> FrictionState::make(const AnyLaw& law, int axes,
                                                   const AreaLaw* area) {
  if (area != nullptr) return std::make_unique<StateOverArea>(law.line(1), *area);
  if (axes == 1) return std::make_unique<StateOn<1>>(law.line(1));
  return std::make_unique<StateOn<2>>(law.plane(1));
}

}  // namespace bristle
