#pragma once

/// Shared by the parts of the report page and by nothing else.

#include <string_view>

#include "bristle/report/page.hpp"
#include "plot_detail.hpp"

namespace bristle::plot_detail {

/// What a report adds to the style of its figures.
extern const std::string_view page_style;

std::string table_element(const PageTable& table);

// ---- animated views: only pages that have one carry their style and scripts -----------------

/// `id` is unique in the page.
std::string animation_element(const Animation& animation, const std::string& id);
std::string_view animation_style();
std::string animation_scripts();

}  // namespace bristle::plot_detail
