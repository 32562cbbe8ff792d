#include "page_thin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bristle::plot_detail {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

double spread(const Series& series) {
  double low = INFINITY, high = -INFINITY;
  for (const double y : series.y) {
    if (!std::isfinite(y)) continue;
    low = std::min(low, y);
    high = std::max(high, y);
  }
  return high > low ? high - low : 0;
}

/// What was left out of each kind.
class Counter {
 public:
  template <class T>
  void cut(std::vector<T>& list, std::size_t most, const char* what) {
    count(list.size(), most, what);
    if (list.size() > most) list.erase(list.begin() + static_cast<long>(most), list.end());
  }
  void count(std::size_t had, std::size_t most, const char* what) {
    if (had <= most) return;
    auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                             [&](const Kind& known) { return known.what == what; });
    if (kind == kinds_.end()) kind = kinds_.insert(kinds_.end(), {what, 0, 0});
    kind->left_out += had - most;
    ++kind->places;
  }
  std::string text() const {
    if (kinds_.empty()) return "";
    std::vector<std::string> parts;
    for (const Kind& kind : kinds_)
      parts.push_back(fmt::format("{} ({})", kind.what, kind.left_out));
    return fmt::format(
        "To stay small this page leaves out some of its {}. The files beside it have all of them.",
        fmt::join(parts, ", "));
  }

 private:
  struct Kind {
    std::string what;
    std::size_t left_out, places;
  };
  std::vector<Kind> kinds_;
};

void thin(Figure& figure, std::size_t most, Counter& left_out) {
  std::size_t largest = 0;
  for (Panel& panel : figure.panels) {
    const std::size_t had = panel.series.size();
    left_out.count(had, most, "curves");
    if (had <= most) continue;
    largest = std::max(largest, had);
    std::vector<double> spreads;
    for (const Series& series : panel.series) spreads.push_back(spread(series));
    std::vector<double> sorted = spreads;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<long>(most - 1), sorted.end(),
                     std::greater<>());
    const double least = sorted[most - 1];
    std::size_t equal =
        most - static_cast<std::size_t>(std::count_if(spreads.begin(), spreads.end(),
                                                      [&](double s) { return s > least; }));
    std::vector<Series> kept;
    for (std::size_t i = 0; i < had; ++i) {
      const bool last_of_equals = spreads[i] == least && equal > 0;
      if (last_of_equals) --equal;
      if (spreads[i] > least || last_of_equals) kept.push_back(std::move(panel.series[i]));
    }
    panel.series = std::move(kept);
  }
  if (largest == 0) return;
  figure.caption += fmt::format("{}Of up to {} curves the {} that vary most are drawn.",
                                figure.caption.empty() ? "" : " ", largest, most);
}

/// Every so many, and the last.
void thin(std::vector<SceneFrame>& frames, std::size_t most, Counter& left_out) {
  left_out.count(frames.size(), most, "frames of the animated view");
  if (frames.size() <= most) return;
  const std::size_t stride = (frames.size() + most - 1) / most;
  std::vector<SceneFrame> kept;
  for (std::size_t i = 0; i < frames.size(); i += stride) kept.push_back(std::move(frames[i]));
  if ((frames.size() - 1) % stride != 0) kept.push_back(std::move(frames.back()));
  frames = std::move(kept);
}

}  // namespace

PageLimits page_limits(int attempt, std::size_t samples) {
  if (attempt == 0) return {samples, all, all, all, all, all, most_scene_triangles};
  const auto halved = [&](std::size_t first, std::size_t least) {
    return std::max(least, first >> (attempt - 1));
  };
  return {halved(std::min<std::size_t>(samples, 4000), 200),
          halved(64, 2),
          halved(400, 10),
          halved(100, 2),
          halved(32, 1),
          halved(600, 20),
          halved(most_scene_triangles, 200)};
}

ThinnedPage thin_page(const ReportPage& page, const PageLimits& limits) {
  ThinnedPage thinned{page, ""};
  Counter left_out;
  for (Section& section : thinned.page.sections) {
    for (Animation& animation : section.animations) {
      thin(animation.scene.frames, limits.frames, left_out);
      animation.most_triangles = limits.triangles;
    }
    left_out.cut(section.tables, limits.tables, "tables");
    for (PageTable& table : section.tables) left_out.cut(table.rows, limits.rows, "rows of tables");
    for (Figure& figure : section.figures) thin(figure, limits.curves, left_out);
    left_out.cut(section.pictures, limits.pictures, "pictures");
  }
  thinned.note = left_out.text();
  return thinned;
}

std::size_t text_size(const ReportPage& page, std::size_t samples) {
  constexpr std::size_t sample = 12;
  std::size_t sum = 0;
  for (const Section& section : page.sections) {
    for (const Figure& figure : section.figures) {
      for (const Panel& panel : figure.panels) {
        for (const Series& series : panel.series)
          sum += sample * std::min(series.x.size(), samples);
      }
    }
  }
  return sum;
}

}  // namespace bristle::plot_detail
