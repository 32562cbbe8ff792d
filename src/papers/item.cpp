#include "bristle/papers/item.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "builtin.hpp"
#include "item_parts.hpp"
#include "sources.hpp"

namespace bristle::papers {
namespace {

using detail::declaration_of;
using detail::formula;
using detail::read_panel;

Printed printed_at(const Node& node) { return read_printed(node.text(), node.fault("")); }

void check_tolerance(const Node& node, const std::string& text) {
  if (text.empty()) return;
  Fault where = node.fault("");
  where.expected = "a number in the unit of the value, or a percentage such as '2 %'";
  std::string number = text;
  if (number.ends_with('%')) number.pop_back();
  if (!(parse_quantity(std::string(trimmed(number)), dim::none, where) >= 0)) {
    where.message = "negative";
    throw InputError(where);
  }
}

/// The claim is the one of these keys that is there.
void read_claim(const Node& node, Number& number) {
  using Claim = Number::Claim;
  const std::pair<const char*, Claim> claims[] = {{"published", Claim::equal},
                                                  {"at_most", Claim::at_most},
                                                  {"at_least", Claim::at_least},
                                                  {"holds", Claim::holds},
                                                  {"shown", Claim::shown}};
  int found = 0;
  for (const auto& [key, claim] : claims) {
    const Node value = node[key];
    if (!value.exists()) continue;
    ++found;
    number.claim = claim;
    if (claim == Claim::holds || claim == Claim::shown) {
      number.published.text = value.text();
    } else {
      number.published = printed_at(value);
    }
  }
  if (found == 1) return;
  throw InputError(
      node.fault("a number has one of 'published', 'at_most', 'at_least', 'holds' and 'shown'"));
}

/// A value and the sentence that goes with it come together.
void check_together(const Node& node, bool value, const std::string& sentence, const char* one,
                    const char* other) {
  if (value && sentence.empty()) {
    throw InputError(node.fault(fmt::format("'{}' needs '{}' to say why", one, other)));
  }
}

Number read_number(const Node& node) {
  Number number;
  number.name = node["name"].text();
  number.of = formula(node["of"]);
  number.unit = node["unit"].text("");
  number.note = node["note"].text("");
  number.says = node["says"].text("");
  number.why = node["why"].text("");
  number.missing = node["missing"].text("");
  number.again = node["again"].flag(false);
  number.place = node["print"].text("");
  if (node["basis"].exists()) number.basis = node["basis"].word(number_bases(), "");
  if (!number.place.empty() && !number.basis.empty()) {
    throw InputError(node.fault("a number stands in 'print' or on a 'basis', not on both"));
  }
  number.tolerance = node["tolerance"].text("");
  check_tolerance(node["tolerance"], number.tolerance);
  read_claim(node, number);
  if (node["corrected"].exists()) number.corrected = printed_at(node["corrected"]);
  if (node["exact"].exists()) number.exact = printed_at(node["exact"]);
  check_together(node, number.corrected.has_value(), number.why, "corrected", "why");
  check_together(node, number.exact.has_value(), number.missing, "exact", "missing");
  return number;
}

/// Every name belongs to a source of the item; which values a source has shows when it is run.
void check_names(const Node& node, const Item& item, const Expression& expression) {
  for (const std::string& name : expression.names()) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos && item.sources.size() == 1) continue;
    std::vector<std::string> known;
    for (const NamedSource& source : item.sources) known.push_back(source.name);
    const std::string source = name.substr(0, dot);
    if (dot != std::string::npos && std::find(known.begin(), known.end(), source) != known.end()) {
      continue;
    }
    Fault fault = node.fault(fmt::format("'{}' is no value of a source", name));
    fault.expected = "SOURCE.NAME with a source that is " + one_of(known);
    fault.nearest = nearest_name(source, known);
    throw InputError(std::move(fault));
  }
}

/// An explanation, whose numbers are formulas over the sources of the item.
void check_sentence(const Node& node, const Item& item) {
  if (!node.exists()) return;
  const Sentence sentence = detail::sentence_at(node);
  for (const Expression& number : sentence.formulas()) check_names(node, item, number);
}

bool valid_id(const std::string& id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

Item read_item(const Node& node, const std::string& data) {
  Item item;
  item.id = node["id"].text();
  if (!valid_id(item.id)) {
    Fault fault = node["id"].fault("not an id");
    fault.expected = "small letters, digits, '-' and '.'";
    throw InputError(fault);
  }
  item.where = node["where"].text();
  item.title = node["title"].text();
  item.text = node["text"].text("");
  item.correction = node["correction"].text("");
  item.missing = node["missing"].text("");
  for (const auto& [name, source] : node["data"].entries()) {
    item.sources.push_back({name, read_source(source, data)});
  }
  for (const Node& number : node["numbers"].items()) {
    item.numbers.push_back(read_number(number));
    check_names(number, item, item.numbers.back().of);
    for (const char* key : {"note", "why", "missing"}) check_sentence(number[key], item);
  }
  for (const char* key : {"text", "correction", "missing"}) check_sentence(node[key], item);
  for (const Node& panel : node["figure"]["panels"].items()) {
    item.panels.push_back(read_panel(panel));
    for (const Curve& curve : item.panels.back().curves) {
      check_names(panel, item, curve.x);
      check_names(panel, item, curve.y);
    }
  }
  item.caption = node["figure"]["caption"].text("");
  const bool judges = std::any_of(item.numbers.begin(), item.numbers.end(),
                                  [](const Number& n) { return n.claim != Number::Claim::shown; });
  if (!judges && item.missing.empty()) {
    throw InputError(node.fault("nothing is judged here: give a number, or say what is 'missing'"));
  }
  node.finish();
  item.declaration = declaration_of(node);
  return item;
}

void check_ids(const std::vector<Paper>& papers) {
  std::set<std::string> seen;
  for (const Paper& paper : papers) {
    for (const Item& item : paper.items) {
      if (seen.insert(item.id).second) continue;
      throw InputError({.message = "two items have this id", .key = "id", .value = item.id});
    }
  }
}

std::vector<Paper> in_order(std::vector<Paper> papers) {
  check_ids(papers);
  std::stable_sort(papers.begin(), papers.end(),
                   [](const Paper& a, const Paper& b) { return a.year < b.year; });
  return papers;
}

}  // namespace

Count count_as(const Number& number) {
  const bool sentence =
      number.claim == Number::Claim::holds || number.claim == Number::Claim::shown;
  const bool constancy =
      !number.says.empty() && number.published.value == 0 && number.place.empty();
  if (sentence || constancy || number.again) return Count::statement;
  return number.place.empty() ? Count::apart : Count::printed;
}

const std::vector<std::string>& number_bases() {
  static const std::vector<std::string> bases{"closed form", "threshold", "input", "words"};
  return bases;
}

Printed read_printed(const std::string& text, const Fault& where) {
  Printed printed{.text = text};
  const char* const end = text.data() + text.size();
  const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [stop, error] = std::from_chars(begin, end, printed.value);
  if (error != std::errc() || stop != end || !std::isfinite(printed.value)) {
    Fault fault = where;
    fault.message = "not a printed number";
    fault.value = text;
    fault.expected = "digits as they are printed, for example 7.89e-3";
    throw InputError(std::move(fault));
  }
  const std::size_t e = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  const int decimals =
      point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  const int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  printed.precision = 0.5 * std::pow(10.0, exponent - decimals);
  return printed;
}

Paper read_paper(const Document& document, std::string name, const std::string& data) {
  Paper paper;
  paper.name = std::move(name);
  paper.title = document["title"].text();
  paper.authors = document["authors"].text();
  paper.year = document["year"].integer();
  paper.text = document["text"].text("");
  for (const Node& item : document["items"].required("a list of items").items()) {
    paper.items.push_back(read_item(item, data));
  }
  document.finish();
  return paper;
}

std::vector<Paper> builtin_papers(const std::string& data) {
  std::vector<Paper> papers;
  for (const detail::BuiltInPaper& file : detail::builtin_paper_files()) {
    const std::string name(file.name);
    papers.push_back(read_paper(Document::parse(file.text, name + ".yaml (built in)"), name, data));
  }
  return in_order(std::move(papers));
}

std::vector<Paper> read_papers(const std::string& folder, const std::string& data) {
  std::vector<Paper> papers;
  for (const auto& file : detail::yaml_files(folder, "papers")) {
    papers.push_back(read_paper(Document::read(file), file.stem().string(), data));
  }
  return in_order(std::move(papers));
}

}  // namespace bristle::papers
