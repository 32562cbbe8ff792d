#pragma once

/// Procedures of test rigs, ready to use: `recipe: NAME` in the file of an identification.
///
///   recipe: indentation
///   data: {file: press.csv, columns: {…}}
///   indenter: {sphere: {radius: 9.525 mm}}
///
/// Each recipe reads its own keys beside `title` and `data` (recording.hpp), works through Problem,
/// find_minimum and confidence_of or fit_linear, and tells what it found in three ways.
/// docs/recipes.md has what to measure for each.

#include <string>

#include "bristle/identify/watch.hpp"
#include "bristle/io/document.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

struct RecipeResult {
  std::string text{};  ///< for a terminal
  std::string json{};
  ReportPage page{};
};

std::vector<std::string> recipe_names();

/// InputError for a recipe nobody knows and for what a recipe refuses; SearchStopped if the watcher
/// says so.
RecipeResult run_recipe(const Document& document, const Watcher& watcher = {});

}  // namespace bristle
