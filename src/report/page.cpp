#include "bristle/report/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "page_detail.hpp"
#include "page_thin.hpp"

namespace bristle {
namespace {

using namespace plot_detail;

// ---- samples --------------------------------------------------------------------------------

/// Some 25 bytes each. The least still gives each pixel column of a wide figure its extremes.
constexpr std::size_t sample_budget = 90000, most_samples = 20000, least_samples = 4000;

std::size_t samples_per_series(const ReportPage& page) {
  std::size_t series = 0;
  for (const Section& section : page.sections) {
    for (const Figure& figure : section.figures) {
      for (const Panel& panel : figure.panels) series += panel.series.size();
    }
  }
  return std::clamp(sample_budget / std::max<std::size_t>(series, 1), least_samples, most_samples);
}

/// 1000000 as "1 000 000", with narrow spaces that do not break.
std::string grouped(std::size_t number) {
  std::string digits = fmt::format("{}", number), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += "\u202F";
    out += digits[i];
  }
  return out;
}

std::string thinning_note(const ThinnedFigure& thinned) {
  if (thinned.longest == 0) return {};
  return fmt::format("<p class=\"hint\">Drawn from {}{} samples, extremes kept.</p>\n",
                     thinned.shortest < thinned.longest ? "up to " : "", grouped(thinned.longest));
}

// ---- parts ----------------------------------------------------------------------------------

struct Mark {
  const char *name, *sign;
};

/// A sign besides the colour, for those who do not see it.
Mark mark_of(Headline::Status status) {
  switch (status) {
    case Headline::Status::good:
      return {"good", "✓"};
    case Headline::Status::warn:
      return {"warn", "!"};
    default:
      return {"", ""};
  }
}

std::string spanned(const char* name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<span class=\"{}\">{}</span>", name, escape_xml(text));
}

std::string headline_element(const Headline& headline) {
  const Mark mark = mark_of(headline.status);
  std::string out = "<li>";
  if (*mark.name != '\0') {
    out =
        fmt::format(R"(<li class="{0}"><span class="mark" role="img" aria-label="{0}">{1}</span>)",
                    mark.name, mark.sign);
  }
  out += spanned("name", headline.label);
  out += fmt::format("<span class=\"value\">{}", escape_xml(headline.value));
  if (!headline.unit.empty()) out += " " + spanned("unit", headline.unit);
  return out + "</span>" + spanned("note", headline.note) + "</li>\n";
}

std::string headlines_element(const std::vector<Headline>& headlines) {
  if (headlines.empty()) return {};
  std::string out = "<ul class=\"headlines\">\n";
  for (const Headline& headline : headlines) out += headline_element(headline);
  return out + "</ul>\n";
}

std::string contents_element(const std::vector<Section>& sections) {
  if (sections.size() <= 3) return {};
  std::string out = "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n";
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::string& title = sections[i].title;
    out += fmt::format("<li><a href=\"#section-{0}\">{1}</a></li>\n", i + 1,
                       title.empty() ? fmt::format("Section {}", i + 1) : escape_xml(title));
  }
  return out + "</ol>\n</nav>\n";
}

/// Renders section after section; what is unique or said once in a page is counted here.
class Sections {
 public:
  explicit Sections(std::size_t samples) : samples_(samples) {}

  std::string element_of(const Section& section) {
    std::string out = fmt::format("<section id=\"section-{}\">\n", ++sections_);
    out += element("h2", section.title);
    for (const std::string& paragraph : section.paragraphs) out += element("p", paragraph);
    for (const Animation& animation : section.animations) {
      out += animation_element(animation, fmt::format("scene-{}", ++animations_));
    }
    for (const PageTable& table : section.tables) out += table_element(table);
    for (const Figure& figure : section.figures) out += element_of(figure);
    for (const Picture& picture : section.pictures) {
      out += "<figure class=\"picture\">\n" + element("h3", picture.title) + picture.svg +
             element("figcaption", picture.caption) + "</figure>\n";
    }
    return out + "</section>\n";
  }

 private:
  std::string element_of(const Figure& figure) {
    const ThinnedFigure thinned = thin_figure(figure, samples_);
    const std::string usage =
        ++figures_ == 1 ? fmt::format("<p id=\"usage\" class=\"hint\">{}</p>\n", usage_hint) : "";
    return usage + figure_element(thinned.figure, {.id = fmt::format("figure-{}", figures_),
                                                   .heading = "h3",
                                                   .hint = thinning_note(thinned),
                                                   .hint_id = "usage",
                                                   .x_digits = 10,
                                                   .y_digits = 0,
                                                   .hidden = thinned.hidden});
  }

  std::size_t samples_, sections_ = 0, figures_ = 0, animations_ = 0;
};

bool is_animated(const ReportPage& page) {
  return std::any_of(page.sections.begin(), page.sections.end(),
                     [](const Section& section) { return !section.animations.empty(); });
}

std::string title_element(const ReportPage& page) {
  std::string out = element("h1", page.title);
  if (!page.subtitle.empty()) {
    out += fmt::format("<p class=\"subtitle\">{}</p>\n", escape_xml(page.subtitle));
  }
  return out;
}

std::string render(const ReportPage& page, std::size_t samples, const std::string& note) {
  const bool animated = is_animated(page);
  std::string style(page_style);
  if (animated) style += animation_style();
  std::string out = page_head(page.title.empty() ? "Report" : page.title, style);
  out += "<body class=\"report\">\n<main>\n" + title_element(page);
  if (!note.empty()) out += fmt::format("<p class=\"hint\">{}</p>\n", escape_xml(note));
  out += headlines_element(page.headlines) + contents_element(page.sections);
  Sections sections(samples);
  for (const Section& section : page.sections) out += sections.element_of(section);
  out += element("footer", page.footer);
  out += "</main>\n" + script_element();
  if (animated) out += animation_scripts();
  return out + "</body>\n</html>\n";
}

}  // namespace

std::string render_page(const ReportPage& page) {
  for (int attempt = 0;; ++attempt) {
    const PageLimits limits = page_limits(attempt, samples_per_series(page));
    const bool last = attempt + 1 == most_attempts;
    const ThinnedPage thinned = thin_page(page, limits);
    if (!last && text_size(thinned.page, limits.samples) >= most_page_bytes) continue;
    std::string out = render(thinned.page, limits.samples, thinned.note);
    if (out.size() < most_page_bytes || last) return out;
  }
}

}  // namespace bristle
