#pragma once

// A progress bar with the time left, on a terminal only; and Ctrl-C, which ends a run early, as do
// SIGTERM and SIGHUP.

#include <chrono>
#include <functional>
#include <string>

namespace bristle::cli {

/// While it lives, Ctrl-C sets a flag instead of ending the program, and so does what a batch
/// system or a closed terminal sends; a second one ends it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  static bool asked() noexcept;
};

/// "label [####....]  50 %  note"; a share beyond 0 to 1 is drawn as the end it is beyond.
std::string progress_line(const std::string& label, double share, const std::string& note);

class Progress {
 public:
  Progress(std::string label, double end);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// For RunOptions::progress, with end in seconds: draws the bar, and is false once the user has
  /// pressed Ctrl-C.
  bool operator()(double t);
  /// The same for work that is not counted in seconds: a share of all of it, and what to say. Only
  /// called when it is time to draw.
  bool operator()(double share, const std::function<std::string()>& note);

 private:
  bool is_due();
  void draw(double share, const std::string& note);

  using Clock = std::chrono::steady_clock;
  std::string label_;
  double end_;
  bool terminal_, drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace bristle::cli
