#pragma once

/// The recipes, one file each. All read their document to its end (finish) before they work.

#include "bristle/identify/recipe.hpp"
#include "bristle/identify/watch.hpp"

namespace bristle::recipes {

RecipeResult indentation(const Document& document, Watch& watch);
RecipeResult damping(const Document& document, Watch& watch);
RecipeResult break_away(const Document& document, Watch& watch);
RecipeResult steady_speed(const Document& document, Watch& watch);
RecipeResult dwell(const Document& document, Watch& watch);
RecipeResult spin(const Document& document, Watch& watch);
RecipeResult peg_hole(const Document& document, Watch& watch);

}  // namespace bristle::recipes
