#pragma once

// What a run of a world leaves behind: rows, impacts, and the energy books.

#include "audit.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/solve/world_dynamics.hpp"
#include "columns.hpp"
#include "event_loop.hpp"
#include "samples.hpp"
#include "scene_recorder.hpp"

namespace bristle::detail {

class WorldRecorder final : public Follower {
 public:
  WorldRecorder(WorldDynamics& dynamics, const RunOptions& options);
  void start(double t, std::span<const double> y, std::span<const double> work) override;
  void step(Integrator& integrator, double from, double to) override;
  void jumped(double t, std::span<const double> y, std::span<const double> work) override;
  void finish(RunResult& result);
  /// The row at a time, without a run: nothing is allocated.
  const std::vector<Column>& columns() const noexcept { return rows_.columns(); }
  const Row& look(double t, std::span<const double> y, std::span<const double> work) {
    fill(t, y, work, row_);
    return row_;
  }

 private:
  struct Extreme {
    std::size_t column;
    double min, max;
  };
  void choose_bodies();
  void choose_links();
  std::vector<Column> make_columns();
  void pair_columns(int pair, std::vector<Column>& list);
  void fill(double t, std::span<const double> y, std::span<const double> work, Row& row);
  void fill_pair(int pair, double t, std::span<const double> y, Row& row);
  void fill_patches(int i, double t, std::span<const double> y, Row& row);
  void fill_mechanism(const WorldDynamics::Mover& m, std::span<const double> y, Row& row) const;
  void fill_driven(Side side, double t, std::span<const double> y, Row& row) const;
  void watch(double t, const Row& row);
  void follow_patches(double from, double to, std::span<const double> y);
  void draw_patches(RunResult& result);
  void balance(double t, std::span<const double> y, std::span<const double> work);
  void watch_energy(double t, std::span<const double> y, std::span<const double> work);
  void look_for_missed_contacts(double t);
  void warn(RunResult& result) const;
  void follow_contacts(std::span<const double> y, std::span<const double> work);
  double taken(int i, std::span<const double> y, std::span<const double> work) const;

  WorldDynamics& f_;
  std::vector<Side> shown_, links_;
  std::vector<std::size_t> mechanism_outputs_;  ///< numbers that each shows of itself
  const RunOptions& options_;
  std::vector<std::size_t> slip_columns_, contact_columns_;
  std::vector<std::vector<std::size_t>> shown_states_;  ///< of each pair with a single site
  Samples rows_;
  SceneRecorder scene_;
  std::vector<double> y_, work_;
  Row row_, last_;
  std::vector<Extreme> extremes_;
  double still_since_ = -1;  ///< the slip has stayed below the slip speed since; −1: it has not
  // volumetric pairs: moments of each, one of which is drawn
  struct Moment {
    double t = 0, work = 0;  ///< work of friction so far
    std::vector<double> y{};
  };
  struct Story {
    double fn = 0, power = 0, work = 0, pressing = 0;
    Moment most_pressed{};
    std::vector<Moment> sliding{};  ///< at even steps of work
    double spacing = 0;
    void keep(double t, std::span<const double> y);
    const Moment& telling() const;
  };
  std::vector<Story> stories_;
  // energy
  double total0_ = 0, gap_ = 0, largest_ = 0;
  GainWatch rise_;
  struct Missed {
    int contact = -1;
    double depth = 0, t = 0;
  } missed_;  ///< the deepest that was not seen
  double kinetic_in_ =
      0;  ///< when the first impact begins; of a step of fixed length, at its start
  // contacts: books at touch-down
  struct Open {
    bool open = false;
    double impulse = 0, taken = 0;
    std::size_t impact = 0;
  };
  std::vector<Open> open_;
};

}  // namespace bristle::detail
