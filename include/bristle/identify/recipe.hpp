#pragma once

/// Identifications that know their experiment. A file with the key `recipe` names one of
/// recipe_names(); everything else in it is what that recipe reads.

#include <string>
#include <vector>

#include "bristle/io/document.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

struct RecipeResult {
  std::string text{};  ///< for a terminal
  std::string json{};
  ReportPage page{};
};

std::vector<std::string> recipe_names();

/// InputError for a recipe nobody knows and for what a recipe refuses.
RecipeResult run_recipe(const Document& document);

}  // namespace bristle
