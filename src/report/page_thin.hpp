#pragma once

// A page that would be too large for anyone to open shows less of everything, and says so.

#include <cstddef>
#include <string>

#include "bristle/report/page.hpp"

namespace bristle::plot_detail {

/// What a page shows at most.
struct PageLimits {
  std::size_t samples;    ///< of a curve
  std::size_t curves;     ///< of a panel
  std::size_t rows;       ///< of a table
  std::size_t tables;     ///< of a section
  std::size_t pictures;   ///< of a section
  std::size_t frames;     ///< of an animated view
  std::size_t triangles;  ///< of a mesh that is drawn as it is
};

/// Of the first try all that a page has; of each further one about half as much as of the last.
PageLimits page_limits(int attempt, std::size_t samples);
inline constexpr int most_attempts = 10;

struct ThinnedPage {
  ReportPage page;
  std::string note;  ///< what was left out; empty if nothing was
};
/// Of the curves of a panel those that vary most; of everything else the first.
ThinnedPage thin_page(const ReportPage& page, const PageLimits& limits);
/// Bytes that the samples of all curves take as text, roughly and rather too few.
std::size_t text_size(const ReportPage& page, std::size_t samples);

}  // namespace bristle::plot_detail
