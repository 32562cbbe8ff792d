#include "bristle/identify/recipe.hpp"

#include <vector>

#include "recipes/recipes.hpp"

namespace bristle {
namespace {

struct Recipe {
  std::string name;
  RecipeResult (*run)(const Document&);
};

const std::vector<Recipe>& all_recipes() {
  static const std::vector<Recipe> all = {
      {"indentation", recipes::indentation},
      {"damping", recipes::damping},
      {"break-away", recipes::break_away},
      {"steady-speed", recipes::steady_speed},
      {"dwell", recipes::dwell},
      {"spin", recipes::spin},
      {"peg-hole", recipes::peg_hole},
  };
  return all;
}

}  // namespace

RecipeResult run_recipe(const Document& document) {
  std::vector<std::string> names;
  for (const Recipe& recipe : all_recipes()) names.push_back(recipe.name);
  const std::string wanted = document["recipe"].word(names);
  for (const Recipe& recipe : all_recipes()) {
    if (recipe.name == wanted) return recipe.run(document);
  }
  return {};
}

}  // namespace bristle
