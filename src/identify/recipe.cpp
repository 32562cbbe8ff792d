#include "bristle/identify/recipe.hpp"

#include "bristle/identify/drive_recipe.hpp"
#include "bristle/identify/toss_recipe.hpp"

namespace bristle {
namespace {

struct Recipe {
  std::string name;
  RecipeResult (*run)(const Document&);
};

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = {
      {"drive", run_drive},
      {"tosses", run_tosses},
  };
  return all;
}

}  // namespace

std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) names.push_back(recipe.name);
  return names;
}

RecipeResult run_recipe(const Document& document) {
  const std::string name = document["recipe"].required("a recipe").word(recipe_names());
  for (const Recipe& recipe : recipes()) {
    if (recipe.name == name) return recipe.run(document);
  }
  return {};
}

}  // namespace bristle
