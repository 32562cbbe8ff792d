#include "bristle/identify/search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <boost/random/sobol.hpp>

namespace bristle {
namespace {

/// A shift of the sequence that the seed alone decides (splitmix64).
double shift_of(std::uint64_t seed, std::uint64_t dimension) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + dimension + 1;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Points of a shifted Sobol sequence over the usual ranges, in coordinates.
std::vector<std::vector<double>> spread(const Coordinates& c, std::size_t count,
                                        std::uint64_t seed) {
  const auto m = static_cast<std::size_t>(c.size());
  std::vector<std::vector<double>> points;
  boost::random::sobol engine(m);
  constexpr double range = 18446744073709551616.0;  // 2⁶⁴
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double>& x = points.emplace_back(m);
    for (std::size_t j = 0; j < m; ++j) {
      double u = static_cast<double>(engine()) / range + shift_of(seed, j);
      u -= std::floor(u);
      x[j] = c.usual_low()[j] + u * (c.usual_high()[j] - c.usual_low()[j]);
    }
  }
  return points;
}

/// Calls work(i) for i < count from several threads, in any order.
template <class F>
void in_parallel(std::size_t count, int threads, F&& work) {
  const auto hardware = std::max(1u, std::thread::hardware_concurrency());
  const auto wanted = threads > 0 ? static_cast<std::size_t>(threads) : std::size_t{hardware};
  const std::size_t used = std::min(wanted, count);
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> pool;
  for (std::size_t k = 1; k < used; ++k) pool.emplace_back(loop);
  loop();
  for (std::thread& thread : pool) thread.join();
}

/// Starts: those given, then the best of the screened points.
std::vector<std::vector<double>> choose_starts(const Problem& problem, const Coordinates& c,
                                               const SearchOptions& options) {
  std::vector<std::vector<double>> chosen;
  for (const auto& p : options.given) chosen.push_back(c.coordinates(p));
  const auto wanted = static_cast<std::size_t>(std::max(options.starts, 0));
  if (chosen.size() >= wanted) return chosen;
  const std::size_t more = wanted - chosen.size();
  const auto points =
      spread(c, more * static_cast<std::size_t>(std::max(options.screen, 1)), options.seed);
  std::vector<double> cost(points.size());
  in_parallel(points.size(), options.threads,
              [&](std::size_t i) { cost[i] = sum_of_squares(problem, c, points[i]); });
  std::vector<std::size_t> rank(points.size());
  for (std::size_t i = 0; i < rank.size(); ++i) rank[i] = i;
  std::stable_sort(rank.begin(), rank.end(),
                   [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
  for (std::size_t i = 0; i < more; ++i) chosen.push_back(points[rank[i]]);
  return chosen;
}

}  // namespace

int Search::agreeing(double share) const {
  return static_cast<int>(std::count_if(starts.begin(), starts.end(), [&](const StartResult& s) {
    return s.done && s.cost <= cost * (1 + share) + 1e-300;
  }));
}

Search find_minimum(const Problem& whole, const SearchOptions& options) {
  const bool is_long = options.first_look > 0 && whole.residuals() > 2 * options.first_look;
  const std::unique_ptr<Problem> leading = is_long ? whole.part(options.first_look) : nullptr;
  const Problem& problem = leading ? *leading : whole;
  const Coordinates c(whole);
  const auto from = choose_starts(problem, c, options);
  Search search;
  search.starts.resize(from.size());
  std::vector<std::vector<double>> ends(from.size());
  std::mutex mutex;
  std::atomic<bool> stop{false};
  int done = 0;
  double lowest = std::numeric_limits<double>::infinity();
  in_parallel(from.size(), options.threads, [&](std::size_t i) {
    if (stop) return;
    const Minimum found = minimise(problem, c, from[i], options.least_squares);
    StartResult& start = search.starts[i];
    start.from = c.parameters(from[i]);
    start.to = c.parameters(found.x);
    start.cost_from = sum_of_squares(problem, c, from[i]);
    start.cost = found.cost;
    start.iterations = found.iterations;
    start.converged = found.converged;
    start.done = true;
    ends[i] = found.x;
    const std::lock_guard lock(mutex);
    lowest = std::min(lowest, found.cost);
    if (options.progress && !options.progress(++done, lowest)) stop = true;
  });
  search.stopped = stop;
  // The tail of a least-squares run costs most of it and is worth it for the best ends only.
  const std::size_t best = leading ? 6 : 3;
  std::vector<std::size_t> rank;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (search.starts[i].done && std::isfinite(search.starts[i].cost)) rank.push_back(i);
  }
  std::stable_sort(rank.begin(), rank.end(), [&](std::size_t a, std::size_t b) {
    return search.starts[a].cost < search.starts[b].cost;
  });
  rank.resize(std::min(rank.size(), best));
  in_parallel(rank.size(), options.threads, [&](std::size_t k) {
    StartResult& start = search.starts[rank[k]];
    const Minimum found = minimise(whole, c, ends[rank[k]], options.polish);
    if (!leading && !(found.cost <= start.cost)) return;
    start.to = c.parameters(found.x);
    start.cost = found.cost;
    start.iterations += found.iterations;
    ends[rank[k]] = found.x;
  });
  // The ends of the others on all residuals, so that costs can be compared.
  if (leading) {
    in_parallel(from.size(), options.threads, [&](std::size_t i) {
      StartResult& start = search.starts[i];
      if (!start.done) return;
      start.cost_from = sum_of_squares(whole, c, from[i]);
      if (std::find(rank.begin(), rank.end(), i) != rank.end()) return;
      start.cost = sum_of_squares(whole, c, ends[i]);
    });
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!search.starts[i].done || !(search.starts[i].cost < search.cost)) continue;
    search.cost = search.starts[i].cost;
    search.p = search.starts[i].to;
    search.x = ends[i];
  }
  if (search.p.empty()) {
    throw std::runtime_error("the model cannot be evaluated at any start: look at the ranges");
  }
  return search;
}

}  // namespace bristle
