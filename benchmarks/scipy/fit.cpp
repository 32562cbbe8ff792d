// The augmented MDSF law on a record, for callers in other languages: its residual, and our fit.

#include <span>

#include "bristle/identify/force_match.hpp"
#include "bristle/identify/search.hpp"

using bristle::ForceMatch;

extern "C" {

/// Keeps a record of n samples; free with drop().
void* record(int n, const double* t, const double* slip, const double* load, const double* force) {
  const auto list = [n](const double* from) { return std::vector<double>(from, from + n); };
  bristle::Recording r;
  r.t = list(t);
  r.put("slip", list(slip));
  r.put("load", list(load));
  r.put("force", list(force));
  return new ForceMatch(bristle::AnyLaw("mdsf-augmented"), {r});
}
void drop(void* problem) { delete static_cast<ForceMatch*>(problem); }

/// Parameters: mu, k_f, alpha, beta.
int residual(const void* problem, const double* p, double* r) {
  const auto& match = *static_cast<const ForceMatch*>(problem);
  return match.evaluate({p, 4}, {r, static_cast<std::size_t>(match.residuals())});
}

/// The best of so many starts; returns Σ r².
double fit(const void* problem, int starts, int threads, double* p) {
  const auto& match = *static_cast<const ForceMatch*>(problem);
  const bristle::Search best = find_minimum(match, {.starts = starts, .threads = threads});
  for (std::size_t j = 0; j < 4; ++j) p[j] = best.p[j];
  return best.cost;
}
}
