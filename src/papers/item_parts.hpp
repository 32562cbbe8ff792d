#pragma once

// What items and studies read alike.

#include <filesystem>
#include <string>
#include <vector>

#include "bristle/io/document.hpp"
#include "bristle/papers/item.hpp"
#include "bristle/papers/sentence.hpp"
#include "bristle/report/plot.hpp"

namespace bristle::papers::detail {

FigurePanel read_panel(const Node& node);
/// x and y of a curve, cut to what the panel shows.
Series series_of(const Curve& curve, const FigurePanel& panel, const Lookup& lookup);
/// The panel without its curves.
Panel empty_panel(const FigurePanel& panel);

/// A sentence with formulas in it; InputError with file and line.
Sentence sentence_at(const Node& node);

/// Everything below the node, in a form that depends on nothing but its content.
std::string declaration_of(const Node& node);

/// The .yaml files of a folder in the order of their names; InputError if there are none.
std::vector<std::filesystem::path> yaml_files(const std::string& folder, const char* like);

}  // namespace bristle::papers::detail
