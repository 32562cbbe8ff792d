#include "bristle/identify/search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include <boost/random/sobol.hpp>

#include "bristle/core/parallel.hpp"
#include "bristle/identify/global_search.hpp"

namespace bristle {
namespace {

/// A shift of the sequence that the seed alone decides (splitmix64).
double shift_of(std::uint64_t seed, std::uint64_t dimension) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + dimension + 1;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Points [first, first + count) of a shifted Sobol sequence over the usual ranges, in coordinates.
std::vector<std::vector<double>> spread(const Coordinates& c, std::size_t first, std::size_t count,
                                        std::uint64_t seed) {
  const auto m = static_cast<std::size_t>(c.size());
  std::vector<std::vector<double>> points;
  boost::random::sobol engine(m);
  engine.discard(first * m);
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

/// One search: rounds of starts, each screened, minimised, and polished where it ended best.
class Searcher {
 public:
  Searcher(const Problem& whole, const SearchOptions& options)
      : whole_(whole),
        rough_(options.first_look > 0 ? whole.rough(options.first_look) : nullptr),
        problem_(rough_ ? *rough_ : whole),
        options_(options),
        c_(whole) {}

  Search go() {
    options_.least_squares.enough = options_.polish.enough = options_.target;
    for (const auto& p : options_.given) from_.push_back(c_.coordinates(p));
    if (!options_.global.empty()) {
      from_.push_back(search_globally(problem_, c_, options_.global, options_.global_evaluations,
                                      options_.seed));
    }
    for (int round = 0; round < std::max(1, options_.rounds) && !stop_; ++round) {
      screen(round);
      minimise_new();
      settle();
      polish_best();
      if (search_.cost <= options_.target || search_.agreeing() >= 2) break;
    }
    if (search_.p.empty() && !stop_) {
      throw std::runtime_error("the model cannot be evaluated at any start: look at the ranges");
    }
    search_.stopped = stop_;
    return std::move(search_);
  }

 private:
  /// Adds the best of new points; each round has twice as many as the one before.
  void screen(int round) {
    const auto wanted = static_cast<std::size_t>(std::max(options_.starts, 0)) << round;
    const std::size_t given = round == 0 ? from_.size() : 0;
    if (given >= wanted) return;
    const std::size_t more = wanted - given;
    const std::size_t count = more * static_cast<std::size_t>(std::max(options_.screen, 1));
    const auto points = spread(c_, screened_, count, options_.seed);
    screened_ += count;
    std::vector<double> cost(points.size());
    in_parallel(points.size(), options_.threads,
                [&](std::size_t i) { cost[i] = sum_of_squares(problem_, c_, points[i]); });
    std::vector<std::size_t> rank(points.size());
    for (std::size_t i = 0; i < rank.size(); ++i) rank[i] = i;
    std::stable_sort(rank.begin(), rank.end(),
                     [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
    for (std::size_t i = 0; i < more; ++i) from_.push_back(points[rank[i]]);
  }

  void minimise_new() {
    const std::size_t first = search_.starts.size();
    search_.starts.resize(from_.size());
    in_parallel(from_.size() - first, options_.threads, [&](std::size_t k) {
      if (!stop_) minimise_one(first + k);
    });
  }
  void minimise_one(std::size_t i) {
    StartResult& start = search_.starts[i];
    start.from = c_.parameters(from_[i]);
    if (i < options_.known.size() && options_.known[i].done &&
        options_.known[i].from == start.from) {
      start = options_.known[i];
    } else {
      minimise_new_one(i, start);
    }
    const std::lock_guard lock(mutex_);
    lowest_ = std::min(lowest_, start.cost);
    if (options_.progress && !options_.progress(++done_, lowest_)) stop_ = true;
  }
  void minimise_new_one(std::size_t i, StartResult& start) {
    const Minimum found = minimise_smoothed(from_[i]);
    start.to = c_.parameters(found.x);
    start.x = found.x;
    // Of the whole, so that costs can be compared.
    start.cost_from = sum_of_squares(whole_, c_, from_[i]);
    start.cost = rough_ ? sum_of_squares(whole_, c_, found.x) : found.cost;
    if (rough_) start.seen = found.cost;
    start.iterations = found.iterations;
    start.converged = found.converged;
    start.done = true;
    const std::lock_guard lock(mutex_);
    if (options_.keep) options_.keep(i, start);
  }

  /// Kinks rounded off widely first, then less and less; the last run sees them as they are.
  Minimum minimise_smoothed(std::vector<double> x) const {
    LeastSquaresOptions blurred = options_.least_squares;
    int iterations = 0;
    for (const double width : options_.smoothing) {
      blurred.blur = width;
      Minimum rounded = minimise(problem_, c_, x, blurred);
      iterations += rounded.iterations;
      x = std::move(rounded.x);
    }
    Minimum found = minimise(problem_, c_, x, options_.least_squares);
    found.iterations += iterations;
    return found;
  }

  /// The tail of a least-squares run costs most of it and is worth it for the best ends only: two
  /// at a time, until they agree.
  void polish_best() {
    std::vector<std::size_t> rank;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (search_.starts[i].done && std::isfinite(search_.starts[i].cost)) rank.push_back(i);
    }
    std::stable_sort(rank.begin(), rank.end(), [&](std::size_t a, std::size_t b) {
      return search_.starts[a].cost < search_.starts[b].cost;
    });
    const std::size_t most = std::min<std::size_t>(rank.size(), 6);
    for (std::size_t first = 0; first < most && !stop_; first += 2) {
      in_parallel(std::min<std::size_t>(2, most - first), options_.threads,
                  [&](std::size_t k) { polish(rank[first + k]); });
      settle();
      if (search_.cost <= options_.target || search_.agreeing() >= 2) return;
    }
  }
  void polish(std::size_t i) {
    StartResult& start = search_.starts[i];
    if (start.cost <= options_.target) return;
    const Minimum found = minimise(whole_, c_, start.x, options_.polish);
    if (!(found.cost <= start.cost)) return;
    start.to = c_.parameters(found.x);
    start.cost = found.cost;
    start.iterations += found.iterations;
    start.x = found.x;
  }

  void settle() {
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (!search_.starts[i].done || !(search_.starts[i].cost < search_.cost)) continue;
      search_.cost = search_.starts[i].cost;
      search_.seen = search_.starts[i].seen;
      search_.p = search_.starts[i].to;
      search_.x = search_.starts[i].x;
    }
  }

  const Problem& whole_;
  std::unique_ptr<Problem> rough_;
  const Problem& problem_;
  SearchOptions options_;
  Coordinates c_;
  Search search_;
  std::vector<std::vector<double>> from_;  ///< coordinates
  std::size_t screened_ = 0;
  std::mutex mutex_;
  std::atomic<bool> stop_{false};
  int done_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

int Search::agreeing(double share) const {
  return static_cast<int>(std::count_if(starts.begin(), starts.end(), [&](const StartResult& s) {
    const auto near = [&](double a, double b) {
      return std::isfinite(b) && std::abs(a - b) <= b * share + 1e-300;
    };
    return s.done && (near(s.cost, cost) || near(s.seen, seen));
  }));
}

Search find_minimum(const Problem& problem, const SearchOptions& options) {
  return Searcher(problem, options).go();
}

}  // namespace bristle
