#include "progress.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "say.hpp"

namespace bristle::cli {
namespace {

constexpr std::array ends_early = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t interrupted = 0;

void set_all(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : ends_early) {
    struct sigaction old {};
    ::sigaction(signal, nullptr, &old);
    if (signal == SIGHUP && old.sa_handler == SIG_IGN) continue;  // nohup
    ::sigaction(signal, &action, nullptr);
  }
}

void note_interrupt(int) {
  interrupted = 1;
  set_all(SIG_DFL);
}

constexpr int width = 30;

}  // namespace

std::string progress_line(const std::string& label, double share, const std::string& note) {
  const double shown = share > 0 ? std::min(share, 1.0) : 0;  // also for what is no number
  const int full = static_cast<int>(shown * width);
  return fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} %  {}", label, "", full, "", width - full,
                     100 * shown, note);
}

Interrupt::Interrupt() {
  interrupted = 0;
  set_all(note_interrupt);
}
Interrupt::~Interrupt() { set_all(SIG_DFL); }
bool Interrupt::asked() noexcept { return interrupted != 0; }

Progress::Progress(std::string label, double end)
    : label_(std::move(label)),
      end_(end),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}
Progress::~Progress() {
  if (drawn_) say("\r\033[K");
}

bool Progress::operator()(double t) {
  if (Interrupt::asked()) return false;
  if (!is_due()) return true;
  const double share = t / end_;
  const double passed = std::chrono::duration<double>(last_ - start_).count();
  const double left = share > 0 ? std::max(0.0, passed * (1 - share) / share) : 0;
  draw(share, fmt::format("t = {:.4g} s  {:.0f} s left", t, left));
  return true;
}

bool Progress::operator()(double share, const std::function<std::string()>& note) {
  if (Interrupt::asked()) return false;
  if (is_due()) draw(share, note());
  return true;
}

/// Short runs stay quiet; long ones are redrawn a few times a second.
bool Progress::is_due() {
  if (!terminal_) return false;
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::milliseconds(400)) return false;
  if (now - last_ < std::chrono::milliseconds(150)) return false;
  last_ = now;
  return true;
}

void Progress::draw(double share, const std::string& note) {
  say("\r{} \033[K", progress_line(label_, share, note));
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace bristle::cli
