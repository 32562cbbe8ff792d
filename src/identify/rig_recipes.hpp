#pragma once

/// The recipes, one file each. All read their document to its end (finish) before they work.

#include "bristle/identify/recipe.hpp"

namespace bristle::recipes {

RecipeResult indentation(const Document& document);
RecipeResult damping(const Document& document);
RecipeResult break_away(const Document& document);
RecipeResult steady_speed(const Document& document);
RecipeResult dwell(const Document& document);
RecipeResult spin(const Document& document);
RecipeResult peg_hole(const Document& document);

}  // namespace bristle::recipes
