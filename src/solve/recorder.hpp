#pragma once

// What a run leaves behind: rows of the trajectory, metrics between them, and the energy books.

#include "audit.hpp"
#include "bristle/solve/dynamics.hpp"
#include "bristle/solve/run.hpp"
#include "columns.hpp"
#include "event_loop.hpp"
#include "orbit.hpp"
#include "samples.hpp"

namespace bristle::detail {

/// Follows a run step by step.
class Recorder final : public Follower {
 public:
  Recorder(Dynamics& dynamics, const RunOptions& options);
  void start(double t, std::span<const double> y, std::span<const double> work) override;
  void step(Integrator& integrator, double from, double to) override;
  void jumped(double t, std::span<const double> y, std::span<const double> work) override;
  void finish(RunResult& result);
  double energy_error() const noexcept { return gap_; }

 private:
  struct Extreme {
    std::size_t column;
    std::string low, high;  ///< names of the metrics; empty: not reported
    bool magnitude = false;
    double min, max;
    double t_min = 0, t_max = 0, x_max = 0;
    double slope = 0;  ///< over the last step
    Extreme(std::size_t at, std::string low_name, std::string high_name, bool absolute = false);
  };
  struct Sampled {
    double t = 0;
    Row row;
  };

  const Row& reading(double t, Integrator& integrator);
  void watch_extremes(Integrator& integrator, const Sampled& a, const Sampled& m, const Sampled& b);
  void offer(Extreme& extreme, double t, const Row& row) const;
  bool may_peak(const Sampled& a, const Sampled& b);
  bool dips_below(Integrator& integrator, const Sampled& a, const Sampled& b, double level);
  void watch_crossings(Integrator& integrator, const Sampled& a, const Sampled& b);
  /// Where f(row) passes 0 between a and b.
  template <class F>
  double crossing(Integrator& integrator, const Sampled& a, const Sampled& b, F&& f);
  void refine_peak(Integrator& integrator, Extreme& extreme, const Sampled& a, const Sampled& m,
                   const Sampled& b);
  double slip_speed(const Row& row) const;
  double cycle_speed(const Row& row) const;
  double cycle_position(const Row& row) const;
  void balance(double t, std::span<const double> y, std::span<const double> work);
  void note_slip();
  void follow_orbit(double t, const Row& row, bool slips);
  void finish_orbit(RunResult& result) const;
  double loop_area() const;
  void finish_cycle(RunResult& result) const;
  void finish_energy(RunResult& result);

  Dynamics& f_;
  const RunOptions& options_;
  Columns columns_;
  Samples rows_;
  std::vector<double> y_, work_;        ///< at the end of the last step
  std::vector<double> y_at_, work_at_;  ///< at the time of a reading
  Row row_;
  Sampled last_, middle_, end_;
  std::vector<Extreme> extremes_;
  // slip
  std::vector<double> slip_times_;
  bool armed_ = true;
  double pending_slip_ = -1;  ///< time of a crossing that may be rounding; −1: none
  double window_end_;
  struct FirstSlip {
    double friction = 0, position = 0;
    Row row{};
  } pending_;
  std::map<std::string, double> firsts_;
  // turning points
  struct Turn {
    double t, x;
    bool high;
  };
  std::vector<Turn> turns_;
  Point2 heading_ = Point2::UnitX();
  std::size_t cycle_x_ = 0, cycle_v_ = 0;
  bool cycle_plane_ = false;
  std::size_t slip_at_ = 0, force_at_ = 0;
  bool slip_plane_ = false, slip_signed_ = true;
  double spin_length_ = 0;  ///< by which spin counts as slip, m
  Orbit orbit_;
  std::size_t body_columns_ = 0;
  // energy
  double kinetic0_ = 0, springs0_ = 0, gap_ = 0, largest_ = 0;
  GainWatch rise_;
  std::vector<double> stored0_;
};

}  // namespace bristle::detail
