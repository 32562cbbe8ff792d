#include "progress.hpp"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace bristle::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
void note_interrupt(int) { interrupted = 1; }

constexpr int width = 30;

}  // namespace

Interrupt::Interrupt() {
  interrupted = 0;
  std::signal(SIGINT, note_interrupt);
}
Interrupt::~Interrupt() { std::signal(SIGINT, SIG_DFL); }
bool Interrupt::asked() noexcept { return interrupted != 0; }

Progress::Progress(std::string label, double end)
    : label_(std::move(label)),
      end_(end),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}
Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

bool Progress::operator()(double t) {
  if (Interrupt::asked()) return false;
  if (!terminal_) return true;
  const Clock::time_point now = Clock::now();
  // Short runs stay quiet; long ones are redrawn a few times a second.
  if (now - start_ < std::chrono::milliseconds(400)) return true;
  if (now - last_ < std::chrono::milliseconds(150)) return true;
  last_ = now;
  const double share = t / end_;
  const double passed = std::chrono::duration<double>(now - start_).count();
  const double left = share > 0 ? passed * (1 - share) / share : 0;
  const int full = static_cast<int>(share * width);
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} s  {:.0f} s left \033[K", label_,
             "", full, "", width - full, 100 * share, t, left);
  std::fflush(stderr);
  drawn_ = true;
  return true;
}

}  // namespace bristle::cli
