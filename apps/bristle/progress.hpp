#pragma once

// A progress bar with the time left, on a terminal only; and Ctrl-C, which ends a run early.

#include <chrono>
#include <functional>
#include <string>

namespace bristle::cli {

/// While it lives, Ctrl-C sets a flag instead of ending the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  static bool asked() noexcept;
};

class Progress {
 public:
  Progress(std::string label, double end);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// For RunOptions::progress: draws the bar, and is false once the user has pressed Ctrl-C.
  bool operator()(double t);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  double end_;
  bool terminal_, drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace bristle::cli
