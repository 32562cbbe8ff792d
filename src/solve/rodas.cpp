// Rodas5P, Steinebach 2023 (BIT 63, 27): a stiffly accurate, L-stable Rosenbrock method of order
// 5(4) with eight stages and dense output of order 4.
//
//   (1/(γ h) − J) k_i = f(t + c_i h, y + Σ a_ij k_j) + Σ C_ij k_j/h + d_i h ∂f/∂t,   i = 1…8
//   y₁ = y + Σ a_8j k_j + k_8,   error: k_8
//
// Each step costs one exact Jacobian, one factorisation and eight evaluations, without iterations:
// for the few unknowns of a rig less than the bookkeeping of a multistep method. The energies do
// not feed back; they are integrated along the dense output by Lobatto's rule of order 6.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bristle/solve/integrator.hpp"
#include "step_size.hpp"

namespace bristle {
namespace {

constexpr std::size_t stages = 8;
constexpr double gamma = 0.21193756319429014;
constexpr std::array<double, stages> c{
    0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1};
constexpr std::array<double, stages> d{
    gamma, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0,
    0};
/// The last two rows are the sixth, with 1 for each stage between.
constexpr std::array<std::array<double, 5>, 6> a{{
    {},
    {3.0},
    {2.849394379747939, 0.45842242204463923},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
     0.030198172008377946},
}};
constexpr std::array<std::array<double, 7>, stages> C{{
    {},
    {-14.155112264123755},
    {-17.97296035885952, -2.859693295451294},
    {147.12150275711716, -1.41221402718213, 71.68940251302358},
    {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
    {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
     -0.6610691825249471},
    {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
     -19.097331116725623, -28.087943162872662},
    {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
     -40.06618937091002, -54.66780262877968, -9.48861652309627},
}};
/// y(s) = (1 − s) y₀ + s [y₁ + (1 − s)(r₁ + s (r₂ + s r₃))] with r = H k.
constexpr std::array<std::array<double, stages>, 3> H{{
    {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
     0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
    {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
     20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
    {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
     -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722},
}};

/// Lobatto's four points: a rate at 0, (1 ∓ 1/√5)/2 and 1.
constexpr double root5 = 2.2360679774997896964;
constexpr double lobatto_low = (1 - 1 / root5) / 2, lobatto_high = (1 + 1 / root5) / 2;
/// Integral from 0 to s of the cubic through them: Σ_m s^m Σ_p L[m][p] g_p, m = 1…4.
constexpr std::array<std::array<double, 4>, 4> L{{
    {1, 0, 0, 0},
    {-3, 1.25 * (1 + root5), 1.25 * (1 - root5), 0.5},
    {10.0 / 3, -2.5 * root5 - 5.0 / 6, 2.5 * root5 - 5.0 / 6, -5.0 / 3},
    {-1.25, 1.25 * root5, -1.25 * root5, 1.25},
}};

/// A = P L U in place, with row exchanges; false if A is singular. Written out because for three to
/// ten unknowns the blocks of a library's factorisation cost more than the numbers.
inline bool factorise(std::size_t n, double* m, std::size_t* pivot) noexcept {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(m[i * n + k]) > std::abs(m[p * n + k])) p = i;
    }
    pivot[k] = p;
    if (!(std::abs(m[p * n + k]) > 0)) return false;
    if (p != k) std::swap_ranges(&m[k * n], &m[k * n] + n, &m[p * n]);
    m[k * n + k] = 1 / m[k * n + k];  // kept inverted: solving then divides nothing
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i * n + k] *= m[k * n + k];
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
    }
  }
  return true;
}

inline void solve(std::size_t n, const double* m, const std::size_t* pivot, double* x) noexcept {
  // Whole rows were exchanged, multipliers too: first all exchanges, then the two triangles.
  for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[pivot[k]]);
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) x[i] -= m[i * n + j] * x[j];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= m[i * n + j] * x[j];
    x[i] *= m[i * n + i];
  }
}

/// N: unknowns, where that is known to the compiler; else 0. One body with one bristle is met so
/// often that its straight code is worth having: it takes a fifth off the whole run.
template <std::size_t N>
class Rodas final : public Integrator {
 public:
  Rodas(Equations& equations, const Tolerance& tolerance)
      : f_(equations),
        size_(static_cast<std::size_t>(equations.size())),
        nq_(static_cast<std::size_t>(equations.quadratures())),
        rtol_(tolerance.rtol),
        atol_(equations.scales()),
        jacobian_(size_ * size_),
        matrix_(size_ * size_),
        k_(stages * size_),
        pivot_(size_),
        even_(equations.is_even()) {
    for (double& scale : atol_) scale *= tolerance.rtol * tolerance.atol;
    for (auto* v : {&y_, &old_, &next_, &stage_, &rate_, &slope_, &by_t_, &r1_, &r2_, &r3_}) {
      v->resize(size_);
    }
    work_.resize(nq_);
    old_work_.resize(nq_);
    for (auto& g : power_) g.resize(nq_);
    for (auto& w : way_) w.resize(nq_);
  }

  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    t_ = t_old_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(quadratures.begin(), quadratures.end(), work_.begin());
    f_.rhs_and_quadrature(t_, y_, slope_, power_[0]);
    size_of_step_.restart();
    knows_by_t_ = false;
  }

  double step(double limit) override {
    const double rest = limit - t_;
    if (!size_of_step_.is_known()) {
      size_of_step_.set(detail::first_step(
          y_, slope_, [&](std::size_t i) { return weight(i, 0); }, rest));
    }
    linearise(size_of_step_.next(f_, rest));
    const double h =
        size_of_step_.take(f_, t_, rest, [&](double length) { return attempt(length); });
    finish(h, h == rest ? limit : t_ + h);
    return t_;
  }

  void at(double t, std::span<double> y, std::span<double> quadratures) override {
    if (t == t_) {
      std::copy_n(y_.begin(), y.size(), y.begin());
      std::copy_n(work_.begin(), quadratures.size(), quadratures.begin());
      return;
    }
    const double s = (t - t_old_) / (t_ - t_old_);
    if (!y.empty()) between(s, y);
    for (std::size_t i = 0; i < quadratures.size(); ++i) {
      quadratures[i] =
          old_work_[i] + s * (way_[0][i] + s * (way_[1][i] + s * (way_[2][i] + s * way_[3][i])));
    }
  }
  long steps() const noexcept override { return steps_; }

 private:
  std::size_t n() const noexcept { return N > 0 ? N : size_; }
  double weight(std::size_t i, double other) const {
    return atol_[i] + rtol_ * std::max(std::abs(y_[i]), std::abs(other));
  }
  /// J, and ∂f/∂t from three values ahead (none behind: there a source may have jumped). Their
  /// distance is far below the step, so that the difference costs no order that could be seen.
  void linearise(double h) {
    f_.jacobian(t_, y_, jacobian_);
    if (knows_by_t_) return;
    const double t1 = t_ + 0.01 * h, ahead = t1 - t_;
    std::fill(by_t_.begin(), by_t_.end(), 0.0);
    if (!(ahead > 0)) return;
    f_.rhs(t1, y_, rate_);
    f_.rhs(t_ + 2 * ahead, y_, by_t_);
    for (std::size_t i = 0; i < n(); ++i) {
      by_t_[i] = (4 * (rate_[i] - slope_[i]) - (by_t_[i] - slope_[i])) / (2 * ahead);
    }
    // Over a first step that is tiny the difference is mostly rounding.
    knows_by_t_ = even_ && ahead > 1e-6 * std::max(1.0, std::abs(t_));
  }
  double attempt(double h) {
    for (std::size_t i = 0; i < n() * n(); ++i) matrix_[i] = -jacobian_[i];
    for (std::size_t i = 0; i < n(); ++i) matrix_[i * n() + i] += 1 / (gamma * h);
    if (!factorise(n(), matrix_.data(), pivot_.data()))
      return std::numeric_limits<double>::infinity();
    make_stages(h, std::make_index_sequence<stages>{});
    double sum = 0;
    for (std::size_t i = 0; i < n(); ++i) {
      const double error = k_[(stages - 1) * n() + i];
      next_[i] = stage_[i] + error;
      const double scaled = error / weight(i, next_[i]);
      sum += scaled * scaled;
    }
    return n() > 0 ? std::sqrt(sum / static_cast<double>(n())) : 0;
  }
  template <std::size_t... s>
  void make_stages(double h, std::index_sequence<s...>) {
    (make_stage<s>(h), ...);
  }
  /// Stage by stage with its number known to the compiler: the sums are then straight code.
  template <std::size_t s>
  void make_stage(double h) {
    double* k = k_.data() + s * n();  // there may be no unknowns at all
    if constexpr (s > 0) {
      for (std::size_t i = 0; i < n(); ++i) {
        // The last stages go on from the one before: y + Σ a_6j k_j + k_6 + k_7.
        if constexpr (s >= 6) {
          stage_[i] += k_[(s - 1) * n() + i];
        } else {
          stage_[i] = y_[i] + sum_of<s>(a[s], i);
        }
      }
      f_.rhs(t_ + c[s] * h, stage_, rate_);
    }
    const std::vector<double>& rate = s == 0 ? slope_ : rate_;
    for (std::size_t i = 0; i < n(); ++i) {
      k[i] = rate[i] + h * d[s] * by_t_[i] + sum_of<s>(C[s], i) / h;
    }
    solve(n(), matrix_.data(), pivot_.data(), k);
  }
  /// Σ_j<s w_j k_j of component i.
  template <std::size_t s, class Weights>
  double sum_of(const Weights& w, std::size_t i) const {
    double sum = 0;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < s; ++j) sum += w[j] * k_[j * n() + i];
    return sum;
  }
  void finish(double h, double t_new) {
    std::swap(old_, y_);
    std::swap(y_, next_);
    for (std::size_t i = 0; i < n(); ++i) {
      r1_[i] = sum_of<stages>(H[0], i);
      r2_[i] = sum_of<stages>(H[1], i);
      r3_[i] = sum_of<stages>(H[2], i);
    }
    t_old_ = t_;
    t_ = t_new;
    ++steps_;
    add_work(h);
  }
  void between(double s, std::span<double> y) const {
    const double r = 1 - s;
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = r * old_[i] + s * (y_[i] + r * (r1_[i] + s * (r2_[i] + s * r3_[i])));
    }
  }
  /// The evaluation at the end is the first one of the next step.
  void add_work(double h) {
    if (nq_ == 0) {
      f_.rhs(t_, y_, slope_);
      return;
    }
    for (const auto& [s, power] :
         {std::pair{lobatto_low, &power_[1]}, {lobatto_high, &power_[2]}}) {
      between(s, stage_);
      f_.rhs_and_quadrature(t_old_ + s * h, stage_, rate_, *power);
    }
    f_.rhs_and_quadrature(t_, y_, slope_, power_[3]);
    for (std::size_t i = 0; i < nq_; ++i) {
      old_work_[i] = work_[i];
      for (std::size_t m = 0; m < 4; ++m) {
        double sum = 0;
        for (std::size_t p = 0; p < 4; ++p) sum += L[m][p] * power_[p][i];
        way_[m][i] = h * sum;
        work_[i] += way_[m][i];
      }
    }
    std::swap(power_[0], power_[3]);
  }

  Equations& f_;
  std::size_t size_, nq_;
  double rtol_;
  std::vector<double> atol_, jacobian_, matrix_, k_;
  std::vector<std::size_t> pivot_;
  double t_ = 0, t_old_ = 0;
  detail::StepSize size_of_step_{"Rosenbrock solver", true};
  bool even_, knows_by_t_ = false;  ///< ∂f/∂t is the same all the way; it has been found
  long steps_ = 0;
  std::vector<double> y_, old_, next_, stage_, rate_, slope_, by_t_, r1_, r2_, r3_;
  std::vector<double> work_, old_work_;
  std::array<std::vector<double>, 4> power_, way_;  ///< at Lobatto's points; powers of s
};

}  // namespace

std::unique_ptr<Integrator> make_rodas(Equations& equations, const Tolerance& tolerance) {
  if (equations.size() == 2) return std::make_unique<Rodas<2>>(equations, tolerance);
  if (equations.size() == 3) return std::make_unique<Rodas<3>>(equations, tolerance);
  return std::make_unique<Rodas<0>>(equations, tolerance);
}

}  // namespace bristle
