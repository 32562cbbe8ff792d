#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/io/atomic_file.hpp"
#include "bristle/report/page.hpp"
#include "plot_detail.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

enum class Format { svg, html, png };

std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

Format format_of(const fs::path& path) {
  const std::string ending = ending_of(path);
  if (ending == ".svg") return Format::svg;
  if (ending == ".html") return Format::html;
  if (ending == ".png") return Format::png;
  throw InputError({.message = ending.empty()
                                   ? "the name has no ending that tells the format of the figure"
                                   : fmt::format("cannot draw a figure in the format '{}'", ending),
                    .file = path.string(),
                    .expected = "a name that ends in .svg, .html or .png"});
}

std::string content(const Figure& figure, Format format, const fs::path& path) {
  if (format == Format::html) return render_html(figure);
  const int height = plot_detail::stacked_height(figure.panels.size());
  std::string svg = render_svg(figure, 760, height);
  return format == Format::svg ? svg : plot_detail::svg_to_png(svg, path);
}

}  // namespace

void check_figure_path(const fs::path& path) {
  const Format format = format_of(path);
  check_writable(path);
  if (format == Format::png) plot_detail::require_png_converter(path);
}

void check_page_path(const fs::path& path) {
  if (ending_of(path) != ".html") {
    throw InputError({.message = "a page is an HTML file",
                      .file = path.string(),
                      .expected = "a name that ends in .html"});
  }
  check_writable(path);
}

void save_figure(const Figure& figure, const fs::path& path) {
  check_figure_path(path);
  write_file(path, content(figure, format_of(path), path));
}

}  // namespace bristle
