#pragma once

/// Shared by the parts of the report page and by nothing else.

#include <string_view>

#include "bristle/report/page.hpp"
#include "plot_detail.hpp"

namespace bristle::plot_detail {

/// What a report adds to the style of its figures.
extern const std::string_view page_style;

std::string table_element(const PageTable& table);

}  // namespace bristle::plot_detail
