// Results on disk: the cache of single items, and results.json.

#include <cmath>
#include <cstdint>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/core/hash.hpp"
#include "bristle/papers/reproduce.hpp"

namespace bristle::papers {
namespace {

using Json = nlohmann::ordered_json;

/// Twice with different starts: 128 bits against chance.
std::uint64_t hash(std::string_view text, Fnv1a value = Fnv1a()) {
  value.add(text);
  return value.value();
}

/// NaN has no place in JSON.
Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }
double number_of(const Json& json) { return json.is_number() ? json.get<double>() : std::nan(""); }

Json json_of(const Values& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_json(value));
  return list;
}
Values values_of(const Json& json) {
  Values values;
  for (const Json& value : json) values.push_back(number_of(value));
  return values;
}

Json json_of(const Figure& figure) {
  Json panels = Json::array();
  for (const Panel& panel : figure.panels) {
    Json series = Json::array();
    for (const Series& s : panel.series) {
      series.push_back({{"label", s.label},
                        {"style", static_cast<int>(s.style)},
                        {"x", json_of(s.x)},
                        {"y", json_of(s.y)}});
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
    Panel drawn{.title = panel.title, .x_label = panel.x, .y_label = panel.y};
    drawn.x_log = panel.x_log;
    drawn.y_log = panel.y_log;
    for (const Json& s : json.at(i)) {
      drawn.series.push_back({s.at("label"), values_of(s.at("x")), values_of(s.at("y")),
                              static_cast<Series::Style>(s.at("style").get<int>())});
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
            {"computed", number_json(judged.computed)},
            {"target", number_json(judged.target)},
            {"tolerance", number_json(judged.tolerance)},
            {"verdict", text_of(judged.outcome)}};
  if (!number.says.empty()) json["says"] = number.says;
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
  return json;
}

}  // namespace

std::string cache_key(const Item& item, const std::string& program) {
  const std::string text = program + '\n' + item.declaration;
  return fmt::format("{}-{:016x}{:016x}", item.id, hash(text), hash(text, Fnv1a(1099511628211ull)));
}

std::string to_cache(const ItemResult& result) {
  Json computed = Json::array();
  for (const Judged& number : result.numbers) computed.push_back(number_json(number.computed));
  return Json{{"id", result.id}, {"computed", computed}, {"figure", json_of(result.figure)}}.dump();
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
  std::vector<std::string> ids;
  for (const ItemResult& result : results) {
    if (result.verdict == Verdict::differs && passed.contains(result.id)) ids.push_back(result.id);
  }
  return ids;
}

}  // namespace bristle::papers
