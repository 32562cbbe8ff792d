#include "bristle/identify/recipe.hpp"

#include "bristle/identify/drive_recipe.hpp"
#include "bristle/identify/toss_recipe.hpp"
#include "rig_recipes.hpp"

namespace bristle {
namespace {

struct Recipe {
  std::string name;
  RecipeResult (*run)(const Document&, Watch&);
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
      {"drive", run_drive},
      {"tosses", run_tosses},
  };
  return all;
}

}  // namespace

std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  for (const Recipe& recipe : all_recipes()) names.push_back(recipe.name);
  return names;
}

RecipeResult run_recipe(const Document& document, const Watcher& watcher) {
  Watch watch(watcher);
  const std::string wanted = document["recipe"].required("a recipe").word(recipe_names());
  for (const Recipe& recipe : all_recipes()) {
    if (recipe.name == wanted) return recipe.run(document, watch);
  }
  return {};
}

}  // namespace bristle
