// The page of all items: what was printed beside what was computed.

#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bristle/papers/reproduce.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/version.hpp"

namespace bristle::papers {
namespace {

Card::Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return Card::Status::good;
    case Verdict::corrected:
      return Card::Status::corrected;
    case Verdict::not_reproducible:
      return Card::Status::open;
    default:
      return Card::Status::bad;
  }
}

/// As many digits as a reader can use beside the printed ones.
std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–";
}

/// An explanation with its numbers.
const std::string& spoken(const ItemResult& result, const std::string& text) {
  const auto filled = result.said.find(text);
  return filled == result.said.end() ? text : filled->second;
}

std::string claim_text(const Number& number) {
  switch (number.claim) {
    case Number::Claim::at_most:
      return "≤ " + number.published.text;
    case Number::Claim::at_least:
      return "≥ " + number.published.text;
    default:
      return number.published.text;
  }
}

std::string published_text(const Number& number) {
  if (!number.says.empty()) return number.says;
  return claim_text(number) + (number.basis.empty() ? "" : fmt::format(" ({})", number.basis));
}

std::string computed_text(const Number& number, const Judged& judged) {
  if (number.claim != Number::Claim::holds) return number_text(judged.computed);
  if (!std::isfinite(judged.computed)) return "–";
  return judged.computed != 0 ? "so it is" : "it is not so";
}

std::string tolerance_text(const Number& number, const Judged& judged) {
  if (number.claim == Number::Claim::holds || number.claim == Number::Claim::shown) return "–";
  if (!number.tolerance.empty()) return "± " + number.tolerance;
  if (number.claim != Number::Claim::equal) return "–";
  return fmt::format("± {:.1g}", judged.tolerance);
}

std::string outcome_text(const Number& number, const Judged& judged) {
  switch (judged.outcome) {
    case Outcome::agrees:
      return "✓ agrees";
    case Outcome::corrected:
      return number.corrected ? "✎ corrected: " + number.corrected->text : "✎ print is wrong";
    case Outcome::open:
      return number.exact ? "○ our reading: " + number.exact->text : "○ left open by print";
    case Outcome::shown:
      return "· not judged";
    default:
      return "✗ differs";
  }
}

std::string with_unit(const Number& number) {
  return number.unit.empty() ? number.name : fmt::format("{} ({})", number.name, number.unit);
}

PageTable table_of(const Item& item, const ItemResult& result) {
  PageTable table{.title = "", .heads = {"quantity", "published", "ours", "tolerance", "verdict"}};
  for (std::size_t i = 0; i < item.numbers.size(); ++i) {
    const Number& number = item.numbers[i];
    const Judged& judged = result.numbers[i];
    table.rows.push_back({with_unit(number), published_text(number), computed_text(number, judged),
                          tolerance_text(number, judged), outcome_text(number, judged)});
  }
  return table;
}

/// What the numbers alone do not say, each sentence once.
std::vector<std::string> remarks_of(const Item& item, const ItemResult& result) {
  std::vector<std::string> remarks;
  std::set<std::string> said;
  const auto say = [&](const std::string& lead, const std::string& text) {
    if (text.empty() || !said.insert(text).second) return;
    remarks.push_back(lead + spoken(result, text));
  };
  say("Could not be computed: ", result.error);
  say("Not computed here: ", result.absent);
  say("Corrected: ", item.correction);
  say("Missing in print: ", item.missing);
  for (std::size_t i = 0; i < item.numbers.size(); ++i) {
    const Number& number = item.numbers[i];
    const Outcome outcome = result.numbers[i].outcome;
    const std::string name = number.name + ": ";
    if (outcome == Outcome::corrected) say("Corrected, " + name, number.why);
    if (outcome == Outcome::open) say("Missing in print, " + name, number.missing);
    say(name, number.note);
  }
  return remarks;
}

/// Those behind an item, each once.
std::set<std::string> scenarios_of(const Item& item) {
  std::set<std::string> names;
  for (const NamedSource& named : item.sources) {
    if (!named.source->scenario().empty()) names.insert(named.source->scenario());
  }
  return names;
}

Card card_of(const Item& item, const ItemResult& result) {
  Card card{.id = item.id,
            .title = item.title,
            .subtitle = item.where,
            .verdict = std::string(text_of(result.verdict)),
            .status = status_of(result.verdict)};
  if (!item.text.empty()) card.paragraphs.push_back(spoken(result, item.text));
  if (!item.numbers.empty()) card.tables.push_back(table_of(item, result));
  card.remarks = remarks_of(item, result);
  if (!result.figure.panels.empty()) card.figures.push_back(result.figure);
  card.commands.push_back("bristle reproduce " + item.id);
  std::string commands;
  for (const NamedSource& named : item.sources) {
    const std::string command = named.source->command();
    if (!command.empty()) commands += command + "\n";
  }
  if (!commands.empty()) card.unfolding.push_back({"The runs behind it", commands});
  for (const std::string& name : scenarios_of(item)) {
    card.unfolding.push_back({"Scenario " + name, std::string(scenario_text(name))});
  }
  card.unfolding.push_back({"The item as it is declared", item.declaration});
  return card;
}

/// What the count of the open ones would hide.
std::string absence_of(const std::vector<ItemResult>& results) {
  const auto count = std::count_if(results.begin(), results.end(),
                                   [](const ItemResult& r) { return !r.absent.empty(); });
  return count == 0 ? "" : fmt::format("{} of them for want of data that do not ship", count);
}

std::vector<Headline> headlines_of(const std::vector<ItemResult>& results) {
  const std::array<Verdict, 4> verdicts = {Verdict::reproduced, Verdict::corrected,
                                           Verdict::not_reproducible, Verdict::differs};
  std::vector<Headline> list;
  for (const Verdict verdict : verdicts) {
    const auto count = std::count_if(results.begin(), results.end(),
                                     [&](const ItemResult& r) { return r.verdict == verdict; });
    Headline headline{.label = std::string(text_of(verdict)), .value = fmt::format("{}", count)};
    if (verdict == Verdict::not_reproducible) headline.note = absence_of(results);
    if (verdict == Verdict::reproduced) headline.status = Headline::Status::good;
    if (verdict == Verdict::differs && count > 0) headline.status = Headline::Status::warn;
    list.push_back(headline);
  }
  return list;
}

}  // namespace

Gallery gallery_of(const std::vector<Paper>& papers, const std::vector<ItemResult>& results) {
  Gallery gallery{.title = "The papers, reproduced"};
  gallery.subtitle = "What was published, what Bristle computes, and where print is wrong";
  gallery.headlines = headlines_of(results);
  gallery.paragraphs = {
      tally(results) + ".",
      "Published values are those of the documents, to the digits printed there, and named as such "
      "where no digits are printed; a number agrees if it is within half a unit of the last digit "
      "or within the tolerance stated. Where print is "
      "wrong, the correction is said in words; where it leaves something open, what is missing and "
      "how we read it. The figures of the originals were not at hand: the curves are ours, on the "
      "axes that the captions and texts describe."};
  std::size_t i = 0;
  for (const Paper& paper : papers) {
    CardGroup group{.title = fmt::format("{} {}", paper.authors, paper.year),
                    .subtitle = paper.title};
    if (!paper.text.empty()) group.paragraphs.push_back(paper.text);
    for (const Item& item : paper.items) group.cards.push_back(card_of(item, results[i++]));
    gallery.groups.push_back(std::move(group));
  }
  gallery.footer = fmt::format("bristle {}", version);
  return gallery;
}

}  // namespace bristle::papers
