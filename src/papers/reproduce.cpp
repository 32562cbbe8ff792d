#include "bristle/papers/reproduce.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle::papers {
namespace {

constexpr std::size_t figure_samples = 1000;

/// All sources of an item, under "source.name"; a single source also without its name.
struct Workspace {
  std::vector<std::pair<std::string, Data>> sources;

  Lookup lookup(bool alone) const {
    return [this, alone](const std::string& name) -> std::optional<Values> {
      const std::size_t dot = name.find('.');
      for (const auto& [source, data] : sources) {
        std::string key = name;
        if (dot != std::string::npos) {
          if (name.substr(0, dot) != source) continue;
          key = name.substr(dot + 1);
        } else if (!alone) {
          continue;
        }
        const auto found = data.find(key);
        if (found != data.end()) return found->second;
      }
      return std::nullopt;
    };
  }
};

Workspace compute_all(const Item& item) {
  Workspace space;
  for (const NamedSource& named : item.sources) {
    space.sources.emplace_back(named.name, named.source->compute(space.lookup(false)));
  }
  return space;
}

Series series_of(const Curve& curve, const FigurePanel& panel, const Lookup& lookup) {
  Values x = curve.x.evaluate(lookup), y = curve.y.evaluate(lookup);
  if (x.size() == 1 && y.size() > 1) x.resize(y.size(), x[0]);
  if (y.size() == 1 && x.size() > 1) y.resize(x.size(), y[0]);
  if (x.size() != y.size()) {
    throw InputError({.message = fmt::format("x has {} and y {} samples", x.size(), y.size()),
                      .key = "curve",
                      .value = curve.label});
  }
  Series series{.label = curve.label, .x = {}, .y = {}};
  series.style = curve.style == "dashed"   ? Series::Style::dashed
                 : curve.style == "points" ? Series::Style::points
                                           : Series::Style::line;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if ((panel.from && x[i] < *panel.from) || (panel.to && x[i] > *panel.to)) continue;
    series.x.push_back(x[i]);
    series.y.push_back(y[i]);
  }
  return series;
}

Figure figure_of(const Item& item, const Lookup& lookup) {
  Figure figure{.title = "", .caption = item.caption, .panels = {}};
  for (const FigurePanel& panel : item.panels) {
    Panel drawn{.title = panel.title, .x_label = panel.x, .y_label = panel.y};
    drawn.x_log = panel.x_log;
    drawn.y_log = panel.y_log;
    for (const Curve& curve : panel.curves) drawn.series.push_back(series_of(curve, panel, lookup));
    figure.panels.push_back(std::move(drawn));
  }
  return thinned(figure, figure_samples);
}

}  // namespace

ItemResult reproduce(const Item& item) {
  ItemResult result{.id = item.id};
  try {
    const Workspace space = compute_all(item);
    const Lookup lookup = space.lookup(item.sources.size() == 1);
    for (const Number& number : item.numbers) {
      result.numbers.push_back(judge(number, number.of.number(lookup)));
    }
    result.figure = figure_of(item, lookup);
    result.verdict = verdict_of(item, result.numbers);
  } catch (const std::exception& error) {
    result.error = error.what();
    result.numbers.assign(item.numbers.size(),
                          {std::nan(""), std::nan(""), std::nan(""), Outcome::differs});
    result.verdict = Verdict::differs;
  }
  return result;
}

}  // namespace bristle::papers
