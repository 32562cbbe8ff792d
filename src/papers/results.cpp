// Results on disk: the cache of single items, and results.json.

#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bristle/papers/reproduce.hpp"
#include "item_parts.hpp"
#include "kept.hpp"

namespace bristle::papers {
namespace {

using detail::Json;
using detail::number_json;
using detail::number_of;

Json json_of(const Figure& figure) {
  Json panels = Json::array();
  for (const Panel& panel : figure.panels) {
    Json series = Json::array();
    for (const Series& s : panel.series) {
      series.push_back(detail::json_of(s));
    }
    panels.push_back(std::move(series));
  }
  return panels;
}

/// Labels of the panels come from the item, curves from the file.
Figure figure_from(const Item& item, const Json& json) {
  Figure figure{.title = "", .caption = item.caption, .panels = {}};
  for (std::size_t i = 0; i < item.panels.size(); ++i) {
    const FigurePanel& panel = item.panels[i];
    Panel drawn = detail::empty_panel(panel);
    for (const Json& s : json.at(i)) {
      drawn.series.push_back(detail::series_from(s));
    }
    figure.panels.push_back(std::move(drawn));
  }
  return figure;
}

std::string_view text_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::agrees:
      return "agrees";
    case Outcome::corrected:
      return "corrected";
    case Outcome::open:
      return "open";
    case Outcome::shown:
      return "shown";
    default:
      return "differs";
  }
}

bool is_sentence(const Number& number) {
  return number.claim == Number::Claim::holds || number.claim == Number::Claim::shown;
}

Json json_of(const Number& number, const Judged& judged) {
  Json json{{"name", number.name},
            {"unit", number.unit},
            {"published",
             is_sentence(number) ? Json(number.published.text) : Json(number.published.value)},
            {"text", number.published.text},
            {"computed", number_json(judged.computed)},
            {"target", number_json(judged.target)},
            {"tolerance", number_json(judged.tolerance)},
            {"verdict", text_of(judged.outcome)}};
  if (!number.says.empty()) json["says"] = number.says;
  if (!number.place.empty()) json["print"] = number.place;
  if (!number.basis.empty()) json["basis"] = number.basis;
  return json;
}

Json json_of(const Item& item, const ItemResult& result) {
  Json numbers = Json::array();
  std::size_t headline = item.numbers.size();
  for (std::size_t i = 0; i < item.numbers.size(); ++i) {
    numbers.push_back(json_of(item.numbers[i], result.numbers[i]));
    const bool judged = item.numbers[i].claim != Number::Claim::shown;
    if (judged && headline == item.numbers.size()) headline = i;
  }
  const auto of_headline = [&](const char* key) {
    return headline < numbers.size() ? numbers[headline][key] : Json();
  };
  Json json{{"id", item.id},
            {"published", of_headline("published")},
            {"computed", of_headline("computed")},
            {"tolerance", of_headline("tolerance")},
            {"verdict", papers::text_of(result.verdict)},
            {"where", item.where},
            {"title", item.title},
            {"numbers", numbers}};
  if (!result.error.empty()) json["error"] = result.error;
  if (!result.absent.empty()) json["absent"] = result.absent;
  return json;
}

}  // namespace

std::string cache_key(const Item& item, const std::string& program) {
  std::string text = program + '\n' + item.declaration;
  for (const NamedSource& named : item.sources) text += '\n' + named.source->inputs();
  return item.id + "-" + detail::fingerprint(text);
}

std::string to_cache(const ItemResult& result) {
  Json computed = Json::array();
  for (const Judged& number : result.numbers) computed.push_back(number_json(number.computed));
  return Json{{"id", result.id},
              {"computed", computed},
              {"said", result.said},
              {"figure", json_of(result.figure)}}
      .dump();
}

std::optional<ItemResult> from_cache(const Item& item, const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const Json& computed = json.at("computed");
    if (json.at("id") != item.id || computed.size() != item.numbers.size()) return std::nullopt;
    ItemResult result{.id = item.id};
    for (std::size_t i = 0; i < computed.size(); ++i) {
      result.numbers.push_back(judge(item.numbers[i], number_of(computed[i])));
    }
    result.said = json.at("said").get<std::map<std::string, std::string>>();
    result.figure = figure_from(item, json.at("figure"));
    result.verdict = verdict_of(item, result.numbers);
    return result;
  } catch (const Json::exception&) {
    return std::nullopt;  // half a file, or one of another program: computed anew
  }
}

std::string results_json(const std::vector<Paper>& papers, const std::vector<ItemResult>& results,
                         const std::string& earlier_json) {
  Json list = Json::array();
  std::set<std::string> ids;
  std::size_t i = 0;
  for (const Paper& paper : papers) {
    for (const Item& item : paper.items) {
      list.push_back(json_of(item, results[i++]));
      ids.insert(item.id);
    }
  }
  const Json earlier = Json::parse(earlier_json, nullptr, false);
  for (const Json& item : earlier.is_array() ? earlier : Json::array()) {
    const bool other = item.is_object() && item.contains("id") && item["id"].is_string();
    if (other && !ids.contains(item["id"].get<std::string>())) list.push_back(item);
  }
  return list.dump(2) + "\n";
}

std::vector<std::string> differing(const std::vector<ItemResult>& results) {
  std::vector<std::string> ids;
  for (const ItemResult& result : results) {
    if (result.verdict == Verdict::differs) ids.push_back(result.id);
  }
  return ids;
}

std::vector<std::string> regressions(const std::string& earlier_json,
                                     const std::vector<ItemResult>& results) {
  std::set<std::string> passed;
  const Json earlier = Json::parse(earlier_json, nullptr, false);
  if (!earlier.is_array()) return {};
  const std::string differs(papers::text_of(Verdict::differs));
  for (const Json& item : earlier) {
    if (!item.is_object() || !item.contains("id") || !item.contains("verdict")) continue;
    if (item["verdict"] != differs && item["id"].is_string()) passed.insert(item["id"]);
  }
  std::vector<std::string> ids = differing(results);
  std::erase_if(ids, [&](const std::string& id) { return !passed.contains(id); });
  return ids;
}

std::string tally(const std::vector<ItemResult>& results) {
  std::map<Count, std::map<Outcome, int>> all;
  for (const ItemResult& result : results) {
    for (const Judged& number : result.numbers) ++all[number.count][number.outcome];
  }
  const auto sentence = [&](const char* what, Count count) {
    std::map<Outcome, int>& counts = all[count];
    const int judged = counts[Outcome::agrees] + counts[Outcome::corrected] +
                       counts[Outcome::open] + counts[Outcome::differs];
    return fmt::format(
        "{} {}: {} agree, {} with a corrected misprint, {} turn on what is not printed, "
        "{} differ",
        judged, what, counts[Outcome::agrees], counts[Outcome::corrected], counts[Outcome::open],
        counts[Outcome::differs]);
  };
  return sentence("printed numbers", Count::printed) + "; " +
         sentence("closed forms, bounds, words and inputs that come back", Count::apart) + "; " +
         sentence("statements and second readings", Count::statement);
}

}  // namespace bristle::papers
