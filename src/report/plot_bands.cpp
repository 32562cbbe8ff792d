#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "plot_detail.hpp"

namespace bristle::plot_detail {
namespace {

/// Shades of a column that is covered in part. Two between nothing and all are enough to tell a
/// phase that fills a column from one that only touches it.
constexpr int full = 3;

bool within(const Band& band, const Range& range) {
  return band.from <= band.to && band.from < range.hi && band.to > range.lo;  // no NaN either
}

bool stands_apart(const std::vector<Stripe>& stripes, std::size_t i) {
  const Stripe& own = stripes[i];
  return own.fill >= 1.0 && own.to - own.from >= 1.0 &&
         (i == 0 || own.from - stripes[i - 1].to >= 1.0) &&
         (i + 1 == stripes.size() || stripes[i + 1].from - own.to >= 1.0);
}

/// Adds what a stripe covers of each column it touches.
void spread(const Stripe& stripe, std::vector<Stripe>& out) {
  for (double column = std::floor(stripe.from); column < stripe.to; column += 1.0) {
    const double from = std::max(stripe.from, column), to = std::min(stripe.to, column + 1.0);
    const double covered = stripe.fill * (to - from);
    if (!out.empty() && out.back().from == column) {
      out.back().fill = std::min(1.0, out.back().fill + covered);
    } else {
      out.push_back({column, column + 1.0, covered});
    }
  }
}

/// A band far from others is drawn at least a pixel wide, as curves are: a share of one pixel
/// column would be too pale to see.
void widen_lone(std::vector<Stripe>& stripes, double pixel) {
  double end = -1.0;  // of the one before, as it was
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    Stripe& own = stripes[i];
    const bool lone = (i == 0 || own.from - end >= 4.0 * pixel) &&
                      (i + 1 == stripes.size() || stripes[i + 1].from - own.to >= 4.0 * pixel);
    end = own.to;
    if (!lone || own.to - own.from >= pixel) continue;
    own.from = std::clamp((own.from + own.to - pixel) / 2.0, 0.0, 1.0 - pixel);
    own.to = own.from + pixel * (1.0 + 1e-9);
  }
}

/// Neither a short phase nor a short gap is rounded away.
int level_of(double fill) {
  if (fill >= 1.0 - 1e-9) return full;
  return std::clamp(static_cast<int>(std::lround(fill * full)), 1, full - 1);
}

std::string path_of_level(const std::vector<Stripe>& stripes, int level, double height) {
  std::string path;
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    if (level_of(stripes[i].fill) != level) continue;
    const double from = stripes[i].from;
    while (i + 1 < stripes.size() && stripes[i + 1].from == stripes[i].to &&
           level_of(stripes[i + 1].fill) == level) {
      ++i;
    }
    fmt::format_to(std::back_inserter(path), "M{0:.2f},0h{1:.2f}v{2:.2f}h-{1:.2f}z", from,
                   stripes[i].to - from, height);
  }
  return path;
}

}  // namespace

std::size_t band_kind(const Band& band) {
  constexpr int count = static_cast<int>(band_colours.size());
  return static_cast<std::size_t>((band.kind % count + count) % count);
}

std::vector<Stripe> stripes_of(const Panel& panel, std::size_t kind, const Axis& axis) {
  std::vector<Stripe> all;
  for (const Band& band : panel.bands) {
    if (band_kind(band) != kind || !within(band, axis.range)) continue;
    all.push_back({axis.at(std::max(band.from, axis.range.lo)),
                   axis.at(std::min(band.to, axis.range.hi)), 1.0});
  }
  std::sort(all.begin(), all.end(),
            [](const Stripe& a, const Stripe& b) { return a.from < b.from; });
  std::vector<Stripe> joined;
  for (const Stripe& stripe : all) {
    if (!joined.empty() && stripe.from <= joined.back().to) {
      joined.back().to = std::max(joined.back().to, stripe.to);
    } else {
      joined.push_back(stripe);
    }
  }
  return joined;
}

std::vector<Stripe> shade(std::vector<Stripe> stripes, double columns) {
  constexpr double hair = 1e-3;  // what lasts no time is seen all the same
  for (Stripe& stripe : stripes) {
    stripe.from *= columns;
    stripe.to = std::max(stripe.to * columns, stripe.from + hair);
  }
  std::vector<Stripe> out;
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    if (stands_apart(stripes, i)) {
      out.push_back(stripes[i]);
    } else {
      spread(stripes[i], out);
    }
  }
  return out;
}

std::string band_paths(const Panel& panel, const PanelView& view) {
  std::string out;
  for (std::size_t kind = 0; kind < band_colours.size(); ++kind) {
    std::vector<Stripe> stripes = stripes_of(panel, kind, view.x_axis);
    widen_lone(stripes, 1.0 / view.width);
    stripes = shade(std::move(stripes), view.width);
    for (int level = 1; level <= full; ++level) {
      const std::string path = path_of_level(stripes, level, view.height);
      if (path.empty()) continue;
      out += fmt::format(
          "<path class=\"band b{} l{}\" d=\"{}\" fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n", kind,
          level, path, band_colours[kind], band_opacity * level / full);
    }
  }
  return out;
}

}  // namespace bristle::plot_detail
