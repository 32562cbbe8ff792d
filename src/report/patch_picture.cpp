// A contact patch as a drawing.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/report/run_report.hpp"

namespace bristle {
namespace {

constexpr double width = 640, margin = 46, bar = 96;

/// Pale to dark, readable on both backgrounds: a few stops of a perceptually even scale.
std::string colour(double share) {
  static constexpr std::array<std::array<double, 3>, 5> stops{
      {{253, 231, 170}, {249, 176, 96}, {226, 106, 74}, {157, 47, 95}, {70, 12, 96}}};
  const double x = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(x), stops.size() - 2);
  const double part = x - static_cast<double>(i);
  const auto mix = [&](std::size_t k) {
    return std::lround(stops[i][k] + part * (stops[i + 1][k] - stops[i][k]));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

/// A prefix that makes the numbers of a length easy to read.
struct Scale {
  double factor;
  const char* unit;
};
Scale length_scale(double size) {
  if (size < 2e-3) return {1e6, "µm"};
  return size < 2 ? Scale{1e3, "mm"} : Scale{1, "m"};
}
Scale pressure_scale(double size) {
  if (size >= 1e9) return {1e-9, "GPa"};
  if (size >= 1e6) return {1e-6, "MPa"};
  return size >= 1e3 ? Scale{1e-3, "kPa"} : Scale{1, "Pa"};
}
/// 1, 2 or 5 times a power of ten, at most `size`.
double round_below(double size) {
  const double power = std::pow(10, std::floor(std::log10(size)));
  for (const double m : {5.0, 2.0}) {
    if (m * power <= size) return m * power;
  }
  return power;
}

class Drawing {
 public:
  explicit Drawing(const PatchView& view) : v_(view) {
    const double across = view.columns * view.cell, up = view.rows * view.cell;
    scale_ = std::min((width - 2 * margin - bar) / across, 460 / up);
    height_ = up * scale_ + 2 * margin;
    most_ = *std::max_element(view.pressure.begin(), view.pressure.end());
  }
  std::string svg() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "font-size=\"13\" "
        "fill=\"currentColor\">\n",
        width, height_);
    cells();
    outline();
    arrows();
    centres();
    ruler();
    legend();
    return out_ + "</svg>\n";
  }

 private:
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(v_.columns) +
           static_cast<std::size_t>(column);
  }
  double x(double u) const { return margin + (u - v_.left) * scale_; }
  double y(double v) const { return height_ - margin - (v - v_.bottom) * scale_; }

  /// Runs of equal colour in a row are one rectangle.
  void cells() {
    out_ += "<g shape-rendering=\"crispEdges\">\n";
    const double side = v_.cell * scale_;
    for (int row = 0; row < v_.rows; ++row) {
      for (int column = 0; column < v_.columns;) {
        const auto paint = [&](int c) {
          const double p = v_.pressure[at(row, c)];
          return p > 0 ? colour(std::round(32 * p / most_) / 32) : std::string();
        };
        const std::string here = paint(column);
        int end = column + 1;
        while (end < v_.columns && paint(end) == here) ++end;
        if (!here.empty()) {
          // Neighbours overlap a little: edges that are rounded to pixels leave no gap.
          const double lap = end < v_.columns && !paint(end).empty() ? 0.5 : 0;
          fmt::format_to(std::back_inserter(out_),
                         "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
                         "fill=\"{}\"/>\n",
                         x(v_.left + column * v_.cell), y(v_.bottom + (row + 1) * v_.cell),
                         (end - column) * side + lap, side, here);
        }
        column = end;
      }
    }
    out_ += "</g>\n";
  }
  void outline() {
    out_ += R"(<path fill="none" stroke="currentColor" stroke-width="1.2" d=")";
    for (const auto& s : v_.outline) {
      fmt::format_to(std::back_inserter(out_), "M{:.1f} {:.1f}L{:.1f} {:.1f}", x(s[0]), y(s[1]),
                     x(s[2]), y(s[3]));
    }
    out_ += "\"/>\n";
  }
  /// White below blue, to be seen on any pressure.
  void arrows() {
    std::string path;
    for (const auto& f : v_.friction) {
      const double length = 18, px = x(f[0]), py = y(f[1]), dx = f[2] * length, dy = -f[3] * length;
      const double ex = px + dx, ey = py + dy;
      fmt::format_to(std::back_inserter(path),
                     "M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}", px,
                     py, ex, ey, ex - 0.35 * dx - 0.2 * dy, ey - 0.35 * dy + 0.2 * dx, ex, ey,
                     ex - 0.35 * dx + 0.2 * dy, ey - 0.35 * dy - 0.2 * dx);
    }
    for (const char* stroke : {R"(stroke="#ffffff" stroke-width="3.6" stroke-opacity="0.85")",
                               R"(stroke="#1565c0" stroke-width="1.6")"}) {
      out_ += fmt::format("<path fill=\"none\" {} d=\"{}\"/>\n", stroke, path);
    }
  }
  void centres() {
    for (const auto& c : v_.centres) {
      fmt::format_to(std::back_inserter(out_),
                     "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#ffffff\" "
                     "stroke=\"#000000\" stroke-width=\"1.5\"/>\n<circle cx=\"{:.1f}\" "
                     "cy=\"{:.1f}\" r=\"1.6\" fill=\"#000000\"/>\n",
                     x(c[0]), y(c[1]), x(c[0]), y(c[1]));
    }
  }
  void ruler() {
    const double size = round_below(v_.columns * v_.cell / 3);
    const Scale unit = length_scale(v_.columns * v_.cell);
    const double left = margin, right = margin + size * scale_, level = height_ - margin / 2;
    fmt::format_to(std::back_inserter(out_),
                   "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\" "
                   "d=\"M{0:.1f} {2:.1f}v8M{0:.1f} {3:.1f}H{1:.1f}M{1:.1f} {2:.1f}v8\"/>\n"
                   "<text x=\"{4:.1f}\" y=\"{5:.1f}\">{6:g} {7}</text>\n",
                   left, right, level - 4, level, right + 8, level + 4, size * unit.factor,
                   unit.unit);
  }
  void legend() {
    const Scale unit = pressure_scale(most_);
    const double left = width - bar + 8, top = margin, tall = std::min(160.0, height_ - 2 * margin);
    constexpr int steps = 24;
    for (int i = 0; i < steps; ++i) {
      fmt::format_to(std::back_inserter(out_),
                     "<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"14\" height=\"{:.2f}\" "
                     "fill=\"{}\"/>\n",
                     left, top + tall * i / steps, tall / steps + 0.5,
                     colour(1 - (i + 0.5) / steps));
    }
    fmt::format_to(std::back_inserter(out_),
                   "<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2:.3g}</text>\n"
                   "<text x=\"{0:.1f}\" y=\"{3:.1f}\">0</text>\n"
                   "<text x=\"{4:.1f}\" y=\"{5:.1f}\">{6}</text>\n",
                   left + 19, top + 9, most_ * unit.factor, top + tall, left, top - 10, unit.unit);
  }

  const PatchView& v_;
  double scale_ = 1, height_ = 1, most_ = 1;
  std::string out_;
};

}  // namespace

Picture patch_picture(const PatchView& view) {
  const std::string pieces =
      view.centres.size() == 1 ? "" : fmt::format("{} patches. ", view.centres.size());
  const auto axis = [](const Vector3& e) {
    const auto clean = [](double x) { return std::abs(x) < 1e-6 ? 0.0 : x; };
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", clean(e.x()), clean(e.y()), clean(e.z()));
  };
  const double friction = view.force > 1e-12 * view.fn ? view.force : 0;  // or rounding
  return {.title = fmt::format("Patch of {} on {} at t = {:.6g} s", view.a, view.b, view.t),
          .caption = fmt::format(
              "{}Pressure in colour, centre of pressure as a white dot, arrows along the friction "
              "on {} where it slides. Normal force {:.4g} N, friction {:.4g} N, spin torque {:.4g} "
              "N m, area {:.4g} mm², volume {:.4g} mm³. To the right is {}, up is {}.",
              pieces, view.a, view.fn, friction, view.torque, 1e6 * view.area, 1e9 * view.volume,
              axis(view.e1), axis(view.e2)),
          .svg = Drawing(view).svg()};
}

}  // namespace bristle
