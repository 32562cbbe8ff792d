#include "bristle/papers/reproduce.hpp"

#include <limits>

#include "item_parts.hpp"

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

Figure figure_of(const Item& item, const Lookup& lookup) {
  Figure figure{.title = "", .caption = item.caption, .panels = {}};
  for (const FigurePanel& panel : item.panels) {
    Panel drawn = detail::empty_panel(panel);
    for (const Curve& curve : panel.curves) {
      drawn.series.push_back(detail::series_of(curve, panel, lookup));
    }
    figure.panels.push_back(std::move(drawn));
  }
  return thinned(figure, figure_samples);
}

/// `say` gives each explanation that has formulas in it its numbers.
template <class Say>
std::map<std::string, std::string> explanations_of(const Item& item, Say&& say) {
  std::map<std::string, std::string> said;
  const auto add = [&](const std::string& text) {
    const Sentence sentence(text);
    if (!sentence.formulas().empty()) said[text] = say(sentence);
  };
  for (const std::string* text : {&item.text, &item.correction, &item.missing}) add(*text);
  for (const Number& number : item.numbers) {
    for (const std::string* text : {&number.note, &number.why, &number.missing}) add(*text);
  }
  return said;
}

std::map<std::string, std::string> unexplained(const Item& item) {
  return explanations_of(item, [](const Sentence& sentence) { return sentence.say_nothing(); });
}

std::vector<Judged> not_computed(const Item& item, Outcome outcome) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Judged> numbers;
  for (const Number& number : item.numbers) {
    numbers.push_back({nan, nan, nan, outcome, count_as(number)});
  }
  return numbers;
}

}  // namespace

ItemResult reproduce(const Item& item) {
  ItemResult result{.id = item.id};
  for (const NamedSource& named : item.sources) {
    if (result.absent.empty()) result.absent = named.source->absent();
  }
  if (!result.absent.empty()) {
    result.numbers = not_computed(item, Outcome::shown);
    result.verdict = Verdict::not_reproducible;
    result.said = unexplained(item);
    return result;
  }
  try {
    const Workspace space = compute_all(item);
    const Lookup lookup = space.lookup(item.sources.size() == 1);
    for (const Number& number : item.numbers) {
      result.numbers.push_back(judge(number, number.of.number(lookup)));
    }
    result.said =
        explanations_of(item, [&](const Sentence& sentence) { return sentence.say(lookup); });
    result.figure = figure_of(item, lookup);
    result.verdict = verdict_of(item, result.numbers);
  } catch (const std::exception& error) {
    result.error = error.what();
    result.numbers = not_computed(item, Outcome::differs);
    result.verdict = Verdict::differs;
    result.said = unexplained(item);
  }
  return result;
}

}  // namespace bristle::papers
