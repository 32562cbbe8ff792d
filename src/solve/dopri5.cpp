// Dormand & Prince 1980, the 5(4) pair with Hairer's dense output of order 4.

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/solve/integrator.hpp"
#include "step_size.hpp"

namespace bristle {
namespace {

constexpr std::array<double, 7> c{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr std::array<std::array<double, 6>, 7> a{{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
/// Fifth-order weights less the fourth-order ones.
constexpr std::array<double, 7> e{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr std::array<double, 7> d{-12715105075.0 / 11282082432,  0,
                                  87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                  701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                  69997945.0 / 29380423};

class Dopri5 final : public Integrator {
 public:
  Dopri5(Equations& equations, const Tolerance& tolerance)
      : f_(equations),
        n_(static_cast<std::size_t>(equations.size())),
        size_(n_ + static_cast<std::size_t>(equations.quadratures())),
        rtol_(tolerance.rtol),
        atol_(equations.scales()) {
    for (double& scale : atol_) scale *= tolerance.rtol * tolerance.atol;
    atol_.resize(size_, 1e-6 * tolerance.rtol);  // energies: from a microjoule on
    for (auto* vector : {&y_, &stage_, &next_, &r2_, &r3_, &r4_, &r5_, &old_}) {
      vector->resize(size_);
    }
    for (auto& k : k_) k.resize(size_);
  }

  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    t_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(quadratures.begin(), quadratures.end(), y_.begin() + static_cast<long>(n_));
    derivative(t_, y_, k_[0]);
    size_of_step_.restart();
  }

  double step(double limit) override {
    const double rest = limit - t_;
    if (!size_of_step_.is_known()) {
      size_of_step_.set(detail::first_step(
          std::span(y_).first(n_), std::span(k_[0]).first(n_),
          [&](std::size_t i) { return weight(i, 0); }, rest));
    }
    const double h =
        size_of_step_.take(f_, t_, rest, [&](double length) { return attempt(length); });
    finish(h, h == rest ? limit : t_ + h);
    return t_;
  }

  void at(double t, std::span<double> y, std::span<double> quadratures) override {
    const double s = (t - t_old_) / (t_ - t_old_), r = 1 - s;
    const auto value = [&](std::size_t i) {
      return t == t_ ? y_[i] : old_[i] + s * (r2_[i] + r * (r3_[i] + s * (r4_[i] + r * r5_[i])));
    };
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = value(i);
    for (std::size_t i = 0; i < quadratures.size(); ++i) quadratures[i] = value(n_ + i);
  }
  double* state() noexcept override { return y_.data(); }
  long steps() const noexcept override { return steps_; }

 private:
  void derivative(double t, const std::vector<double>& y, std::vector<double>& dy) {
    f_.rhs_and_quadrature(t, std::span(y).first(n_), std::span(dy).first(n_),
                          std::span(dy).subspan(n_));
  }
  double weight(std::size_t i, double other) const {
    return atol_[i] + rtol_ * std::max(std::abs(y_[i]), std::abs(other));
  }
  double attempt(double h) {
    for (std::size_t s = 1; s < 7; ++s) {
      for (std::size_t i = 0; i < size_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < s; ++j) sum += a[s][j] * k_[j][i];
        stage_[i] = y_[i] + h * sum;
      }
      if (s == 6) next_ = stage_;
      derivative(t_ + c[s] * h, stage_, k_[s]);
    }
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      double error = 0;
      for (std::size_t s = 0; s < 7; ++s) error += e[s] * k_[s][i];
      const double scaled = h * error / weight(i, next_[i]);
      sum += scaled * scaled;
    }
    return std::sqrt(sum / static_cast<double>(size_));
  }
  void finish(double h, double t_new) {
    for (std::size_t i = 0; i < size_; ++i) {
      old_[i] = y_[i];
      r2_[i] = next_[i] - y_[i];
      r3_[i] = h * k_[0][i] - r2_[i];
      r4_[i] = r2_[i] - h * k_[6][i] - r3_[i];
      double sum = 0;
      for (std::size_t s = 0; s < 7; ++s) sum += d[s] * k_[s][i];
      r5_[i] = h * sum;
      y_[i] = next_[i];
    }
    std::swap(k_[0], k_[6]);
    t_old_ = t_;
    t_ = t_new;
    ++steps_;
  }

  Equations& f_;
  std::size_t n_, size_;
  double rtol_;
  std::vector<double> atol_;
  double t_ = 0, t_old_ = 0;
  detail::StepSize size_of_step_{"event-driven solver", false};
  long steps_ = 0;
  std::vector<double> y_, stage_, next_, old_, r2_, r3_, r4_, r5_;
  std::array<std::vector<double>, 7> k_;
};

}  // namespace

std::unique_ptr<Integrator> make_dopri5(Equations& equations, const Tolerance& tolerance) {
  return std::make_unique<Dopri5>(equations, tolerance);
}

}  // namespace bristle
