#include "sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/core/index.hpp"

namespace bristle::detail {
namespace {

// Radau IIA with three stages, Hairer & Wanner 1996 (IV.5, table 5.6).
constexpr double root6 = 2.4494897427831780982;
constexpr std::array<double, 3> c{(4 - root6) / 10, (4 + root6) / 10, 1};
constexpr std::array<std::array<double, 3>, 3> a{{
    {(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
    {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
    {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9},
}};

/// ∫ from 0 to s of the polynomial that is 1 at c_i and 0 at the other two.
double weight(std::size_t i, double s) {
  const double d = c[(i + 1) % 3], e = c[(i + 2) % 3];
  return s * (d * e + s * (-(d + e) / 2 + s / 3)) / ((c[i] - d) * (c[i] - e));
}

}  // namespace

Sensitivity::Sensitivity(Dynamics& dynamics, std::span<const NudgedRig> nudged, double break_away)
    : f_(dynamics), scales_(dynamics.scales()) {
  const auto make = [&](const Rig& rig) {
    auto made = std::make_unique<Dynamics>(rig, break_away);
    made->keep_books(false);
    made->locate_modes(true);
    return made;
  };
  for (const NudgedRig& n : nudged) {
    nudges_.push_back({make(n.up), make(n.down), n.above, n.below});
  }
  find_law_parameters(nudged);
  const int n = f_.size(), m = parameters();
  s_.resize(n, m);
  for (RowMatrix& jacobian : jacobians_) jacobian.resize(n, n);
  matrix_.resize(3 * n, 3 * n);
  shift_.resize(m);
  for (auto* v : {&y_, &moved_, &up_, &down_, &before_, &rate_before_, &rate_after_}) {
    v->resize(at(n));
  }
  memory_.resize(at(f_.memory()));
  guards_up_.resize(at(f_.guards()));
  guards_down_.resize(at(f_.guards()));
  risen_ = std::make_unique<bool[]>(at(f_.guards()));
}

/// Which contacts have which parameters among their law's own. Laws that dual numbers cannot go
/// through (random ones, tables, different ones for the two directions) keep to differences.
void Sensitivity::find_law_parameters(std::span<const NudgedRig> nudged) {
  const Rig& rig = f_.mechanics().rig();
  if (!rig.stops.empty()) return;
  for (int c = 0; c < f_.contacts(); ++c) {
    const AnyLaw& law = rig.contacts[at(c)].law;
    std::vector<std::string> names;
    std::vector<double> values;
    std::vector<Eigen::Index> columns;
    for (std::size_t j = 0; j < nudged.size(); ++j) {
      const std::string& name = nudged[j].law_parameter;
      if (name.empty() || law.info().find(name) == nullptr) continue;
      if (nudged[j].up.contacts[at(c)].law.get(name) ==
          nudged[j].down.contacts[at(c)].law.get(name)) {
        continue;
      }
      names.push_back(name);
      values.push_back(law.get(name));
      columns.push_back(static_cast<Eigen::Index>(j));
    }
    if (names.empty()) continue;
    if (!Replay::can_play(law)) {
      laws_.clear();
      return;
    }
    laws_.push_back({c, Replay(law, names), std::move(values), std::move(columns)});
  }
  for (const Dynamics::LawParameters& l : laws_) {
    for (const Eigen::Index j : l.columns) nudges_[static_cast<std::size_t>(j)].of_law = true;
  }
}

bool Sensitivity::moves_breaks(double duration) const {
  const std::vector<double> ours = f_.breaks(duration);
  return std::any_of(nudges_.begin(), nudges_.end(), [&](const Nudge& n) {
    return n.up->breaks(duration) != ours || n.down->breaks(duration) != ours;
  });
}

/// The modes of the run, for all.
void Sensitivity::copy_modes() {
  double* to = memory_.data();
  f_.save(to);
  for (Nudge& n : nudges_) {
    for (Dynamics* one : {n.up.get(), n.down.get()}) {
      const double* from = memory_.data();
      one->restore(from);
    }
  }
}

std::span<const double> Sensitivity::moved(std::span<const double> y,
                                           const Eigen::Ref<const Eigen::VectorXd>& way,
                                           double by) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    moved_[i] = y[i] + by * way[static_cast<Eigen::Index>(i)];
  }
  return moved_;
}

void Sensitivity::start() {
  for (int j = 0; j < parameters(); ++j) {
    Nudge& n = nudges_[at(j)];
    up_ = n.up->initial();
    n.up->settle(0, up_, ignored_);
    down_ = n.down->initial();
    n.down->settle(0, down_, ignored_);
    for (std::size_t i = 0; i < up_.size(); ++i) {
      s_(static_cast<Eigen::Index>(i), j) = (up_[i] - down_[i]) / reach(j);
    }
  }
  copy_modes();
}

void Sensitivity::rates_by_parameters(double t, std::span<const double> y,
                                      Eigen::Ref<RowMatrix> by) {
  if (!laws_.empty()) f_.by_parameters(t, y, laws_, by);
  for (int j = 0; j < parameters(); ++j) {
    const Nudge& n = nudges_[at(j)];
    if (n.of_law) continue;
    n.up->set_horizon(f_.horizon());
    n.down->set_horizon(f_.horizon());
    n.up->rhs(t, y, up_);
    n.down->rhs(t, y, down_);
    for (std::size_t i = 0; i < up_.size(); ++i) {
      by(static_cast<Eigen::Index>(i), j) = (up_[i] - down_[i]) / reach(j);
    }
  }
}

void Sensitivity::step(Integrator& run, double from, double to) {
  from_ = from;
  used_ = 0;
  if (!knows_start_) {
    run.at(from, y_, {});
    f_.jacobian(from, y_, {jacobians_[0].data(), at(f_.size() * f_.size())});
  }
  go(run, from, to, 0);
  knows_start_ = true;
}

/// K_i = J_i (S + h Σ a_ij K_j) + ∂f/∂p, i = 1…3.
void Sensitivity::go(Integrator& run, double from, double to, int halvings) {
  const int n = f_.size();
  const double h = to - from;
  const auto stage = [&](int i) { return i == 2 ? to : from + c[at(i)] * h; };
  for (int i = 0; i < 3; ++i) {
    run.at(stage(i), y_, {});
    f_.jacobian(stage(i), y_, {jacobians_[at(i + 1)].data(), at(n * n)});
  }
  if (halvings < 24 && jumps_within(h)) {
    const double half = from + h / 2;
    go(run, from, half, halvings + 1);
    go(run, half, to, halvings + 1);
    return;
  }
  if (used_ == pieces_.size()) pieces_.emplace_back();
  Piece& piece = pieces_[used_++];
  piece.from = from;
  piece.length = h;
  piece.start = s_;
  piece.rates.resize(3 * n, parameters());
  for (int i = 0; i < 3; ++i) {
    const RowMatrix& jacobian = jacobians_[at(i + 1)];
    run.at(stage(i), y_, {});
    rates_by_parameters(stage(i), y_, piece.rates.middleRows(i * n, n));
    piece.rates.middleRows(i * n, n).noalias() += jacobian * s_;
    for (int j = 0; j < 3; ++j) {
      matrix_.block(i * n, j * n, n, n) = (-h * a[at(i)][at(j)]) * jacobian;
    }
    matrix_.block(i * n, i * n, n, n).diagonal().array() += 1;
  }
  lu_.compute(matrix_);
  piece.rates = lu_.solve(piece.rates).eval();
  for (int i = 0; i < 3; ++i) s_ += h * a[2][at(i)] * piece.rates.middleRows(i * n, n);
  std::swap(jacobians_[0], jacobians_[3]);
}

/// Largest difference of two Jacobians, with y in its typical sizes: 1/s.
double Sensitivity::apart(const RowMatrix& one, const RowMatrix& other) const {
  double most = 0;
  for (Eigen::Index i = 0; i < one.rows(); ++i) {
    for (Eigen::Index k = 0; k < one.cols(); ++k) {
      const double scale =
          scales_[static_cast<std::size_t>(k)] / scales_[static_cast<std::size_t>(i)];
      most = std::max(most, scale * std::abs(one(i, k) - other(i, k)));
    }
  }
  return most;
}

/// Whether ∂f/∂y changes all at once somewhere between the stages, and by so much that it counts.
bool Sensitivity::jumps_within(double length) const {
  const std::array<double, 3> change{apart(jacobians_[0], jacobians_[1]) / c[0],
                                     apart(jacobians_[1], jacobians_[2]) / (c[1] - c[0]),
                                     apart(jacobians_[2], jacobians_[3]) / (1 - c[1])};
  const double most = *std::max_element(change.begin(), change.end());
  const double sum = change[0] + change[1] + change[2];
  return length * most > 1e-4 && sum - most < 0.1 * most;
}

const Eigen::MatrixXd& Sensitivity::within(double t) {
  std::size_t k = 0;
  while (k < used_ && t > pieces_[k].from + pieces_[k].length) ++k;
  if (k == used_) return s_;
  const Piece& piece = pieces_[k];
  const double s = piece.length > 0 ? (t - piece.from) / piece.length : 1;
  dense_ = piece.start;
  for (int i = 0; i < 3; ++i) {
    dense_ += piece.length * weight(at(i), s) * piece.rates.middleRows(i * f_.size(), f_.size());
  }
  return dense_;
}

void Sensitivity::before_jump(double t, std::span<const double> y, std::span<const bool> risen) {
  std::copy(y.begin(), y.end(), before_.begin());
  std::copy(risen.begin(), risen.end(), risen_.get());
  guards_ = risen.size();
  shift_.setZero();
  if (guards_ > 0) find_shifts(t, y);
}

/// How fast a guard rises along the run: the sources are not looked at where they may have jumped.
double Sensitivity::guard_rate(double t, std::span<const double> y, std::size_t guard) {
  double reach = 1e-6;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::abs(y[i]) + scales_[i], rate = std::abs(rate_before_[i]);
    if (reach * rate > 1e-5 * size) reach = 1e-5 * size / rate;
  }
  const double ahead = std::min(t + reach, f_.horizon()) - t,
               behind = t - std::max(t - reach, from_);
  const Eigen::Map<const Eigen::VectorXd> way(rate_before_.data(), f_.size());
  f_.guard_values(t + ahead, moved(y, way, ahead), guards_up_);
  f_.guard_values(t - behind, moved(y, way, -behind), guards_down_);
  return (guards_up_[guard] - guards_down_[guard]) / (ahead + behind);
}

void Sensitivity::find_shifts(double t, std::span<const double> y) {
  f_.rhs(t, y, rate_before_);
  std::size_t guard = guards_;
  double rate = 0;
  for (std::size_t g = 0; g < guards_ && rate == 0; ++g) {
    if (!risen_[g]) continue;
    guard = g;
    rate = guard_rate(t, y, g);
  }
  for (int j = 0; j < parameters() && guard < guards_; ++j) {
    const Nudge& n = nudges_[at(j)];
    n.up->guard_values(t, moved(y, s_.col(j), n.above), guards_up_);
    n.down->guard_values(t, moved(y, s_.col(j), -n.below), guards_down_);
    shift_[j] = -(guards_up_[guard] - guards_down_[guard]) / (reach(j) * rate);
  }
  sound_ = sound_ && shift_.allFinite();
}

/// The state before, at the time of the event that each parameter asks for, goes through the jump
/// of its own system; what it then is at one and the same time is S.
void Sensitivity::after_jump(double t, std::span<const double> y) {
  if (!sound_) return;
  const std::span<const bool> risen(risen_.get(), guards_);
  const Eigen::Map<const Eigen::VectorXd> before(rate_before_.data(), f_.size());
  const auto side = [&](Dynamics& one, int j, double by, std::vector<double>& out) {
    const Eigen::VectorXd way =
        guards_ > 0 ? Eigen::VectorXd(s_.col(j) + shift_[j] * before) : Eigen::VectorXd(s_.col(j));
    const auto from = moved(before_, way, by);
    std::copy(from.begin(), from.end(), out.begin());
    ignored_.clear();
    if (guards_ > 0) {
      one.handle(t + by * shift_[j], out, risen, ignored_);
    } else {
      one.settle(t, out, ignored_);
    }
  };
  for (int j = 0; j < parameters(); ++j) {
    Nudge& n = nudges_[at(j)];
    for (Dynamics* one : {n.up.get(), n.down.get()}) one->set_horizon(f_.horizon());
    side(*n.up, j, n.above, up_);
    side(*n.down, j, -n.below, down_);
    for (std::size_t i = 0; i < up_.size(); ++i) {
      s_(static_cast<Eigen::Index>(i), j) = (up_[i] - down_[i]) / reach(j);
    }
  }
  if (guards_ > 0) {
    f_.rhs(t, y, rate_after_);
    const Eigen::Map<const Eigen::VectorXd> after(rate_after_.data(), f_.size());
    s_ -= after * shift_.transpose();
  }
  used_ = 0;
  knows_start_ = false;
  copy_modes();
  sound_ = s_.allFinite();
}

}  // namespace bristle::detail
