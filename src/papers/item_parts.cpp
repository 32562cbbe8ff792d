#include "item_parts.hpp"

#include <algorithm>

#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

/// Everything below the node, in a form that depends on nothing but its content.
void declare(const Node& node, std::string& text) {
  if (node.is_map()) {
    for (const auto& [name, child] : node.entries()) {
      text += name + ":";
      declare(child, text);
    }
  } else if (node.is_list()) {
    for (const Node& child : node.items()) {
      text += "-";
      declare(child, text);
    }
  } else {
    text += " " + node.text() + "\n";
  }
}

Curve read_curve(const Node& node) {
  return {node["label"].text(""), node["style"].word({"line", "dashed", "points"}, "line"),
          formula(node["x"]), formula(node["y"])};
}

}  // namespace

FigurePanel read_panel(const Node& node) {
  FigurePanel panel{.title = node["title"].text(""), .x = node["x"].text(), .y = node["y"].text()};
  panel.x_log = node["x_log"].flag(false);
  panel.y_log = node["y_log"].flag(false);
  if (node["from"].exists()) panel.from = node["from"].number();
  if (node["to"].exists()) panel.to = node["to"].number();
  for (const Node& curve : node["curves"].required("a list of curves").items()) {
    panel.curves.push_back(read_curve(curve));
  }
  return panel;
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

Panel empty_panel(const FigurePanel& panel) {
  Panel drawn{.title = panel.title, .x_label = panel.x, .y_label = panel.y};
  drawn.x_log = panel.x_log;
  drawn.y_log = panel.y_log;
  return drawn;
}

Sentence sentence_at(const Node& node) {
  try {
    return Sentence(node.text());
  } catch (const InputError& error) {
    Fault fault = node.fault(error.fault().message);
    fault.value = error.fault().value;
    fault.expected = error.fault().expected;
    fault.nearest = error.fault().nearest;
    throw InputError(std::move(fault));
  }
}

std::string declaration_of(const Node& node) {
  std::string text;
  declare(node, text);
  return text;
}

std::vector<std::filesystem::path> yaml_files(const std::string& folder, const char* like) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  if (files.empty()) {
    throw InputError({.message = error ? error.message() : "no .yaml file in this folder",
                      .value = folder,
                      .expected = fmt::format("a folder with files such as those of {}/", like)});
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace bristle::papers::detail
