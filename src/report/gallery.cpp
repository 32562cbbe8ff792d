#include "bristle/report/gallery.hpp"

#include <fmt/format.h>

#include "page_detail.hpp"

namespace bristle {
namespace {

using namespace plot_detail;

constexpr std::string_view gallery_style = R"css(
:root { --bad: #b3261e; --open: #5b6570; }
@media screen and (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --open: #a0a9b4; } }
.card {
  border: 1px solid var(--edge); border-left: 5px solid var(--s); border-radius: 8px;
  background: var(--paper); margin: 0 0 26px; padding: 16px 20px 14px; scroll-margin-top: 12px;
}
.card.good, .index .good { --s: var(--good); } .card.corrected, .index .corrected { --s: var(--warn); }
.card.open, .index .open { --s: var(--open); } .card.bad, .index .bad { --s: var(--bad); }
.card:target { outline: 2px solid var(--link); outline-offset: 2px; }
.card > header { display: block; margin: 0 0 10px; }
.card > header h3 { font-size: 17px; }
.card .where { color: var(--muted); font-size: 14px; margin: 2px 0 0; }
.card .verdict { display: inline-block; color: var(--s); font-weight: 600; font-size: 14px; margin: 4px 0 0; }
.card > p { margin: 0 0 10px; max-width: 82ch; white-space: pre-line; }
.card figure { margin: 14px 0 6px; }
.card .box { margin: 8px 0 12px; }
.card .box th, .card .box td { padding-right: 18px; }
.card .box th { white-space: normal; vertical-align: bottom; }
.card .box .n { padding-left: 10px; padding-right: 8px; }
.card .box td:first-child { white-space: normal; min-width: 19ch; }
.card .box td:last-child { white-space: normal; min-width: 11ch; }
.report .card .hint { display: none; }
.report .card .bare { top: -14px; }
pre {
  margin: 6px 0 10px; padding: 8px 12px; overflow-x: auto; background: var(--band); border-radius: 6px;
  font: 13px/1.45 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; overflow-wrap: normal;
}
pre:focus-visible, summary:focus-visible { outline: 2px solid var(--axis); outline-offset: 2px; }
summary { cursor: pointer; color: var(--link); font-size: 14px; padding: 2px 0; }
details { margin: 2px 0; scroll-margin-top: 12px; }
.report a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: 12px; top: -60px; padding: 6px 12px; background: var(--card); z-index: 2; }
.skip:focus { top: 8px; }
.index ol { list-style: none; margin: 0 0 6px; padding: 0; columns: 2 300px; column-gap: 28px; }
.index li { padding: 2px 0 2px 22px; position: relative; break-inside: avoid; line-height: 1.4; font-size: 14px; }
.index .mark { position: absolute; left: 0; color: var(--s); font-weight: 700; }
.index h2 { font-size: 15px; margin: 14px 0 4px; padding: 0; border: 0; }
.index h2:first-child { margin-top: 0; }
main > section:first-of-type > p { margin-top: 20px; }
@media (max-width: 519px) {
  .card { padding: 12px 12px 10px; }
  .card .box th, .card .box td { white-space: normal; padding: 4px 8px 4px 4px; font-size: 13px; }
  .card .box td:first-child, .card .box .w { min-width: 9ch; }
  .card .box td:last-child { min-width: 9ch; }
  .card .box td.n { white-space: nowrap; }
  /* Five columns do not fit: what, then the numbers, then the verdict, so that it is never out of sight. */
  .card table:has(th:nth-child(5):last-child), .card table:has(th:nth-child(5):last-child) :is(thead, tbody) { display: block; }
  .card table:has(th:nth-child(5):last-child) tr {
    display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); border-bottom: 1px solid var(--grid);
  }
  .card table:has(th:nth-child(5):last-child) :is(th, td) {
    border: 0; min-width: 0; max-width: none; text-align: left; padding: 2px 6px; overflow-wrap: anywhere;
  }
  .card table:has(th:nth-child(5):last-child) :is(th, td):is(:first-child, :last-child) { grid-column: 1 / -1; }
  .card table:has(th:nth-child(5):last-child) td:first-child { font-weight: 600; }
}
@media print { .card { break-inside: avoid; } details:not([open]) { display: none; } }
)css";

struct Sign {
  const char *name, *sign;
};
/// Each status has a sign besides its colour.
Sign sign_of(Card::Status status) {
  switch (status) {
    case Card::Status::good:
      return {"good", "✓"};
    case Card::Status::corrected:
      return {"corrected", "✎"};
    case Card::Status::open:
      return {"open", "○"};
    default:
      return {"bad", "✗"};
  }
}

std::string pre_element(const std::string& text) {
  return fmt::format("<pre tabindex=\"0\">{}</pre>\n", escape_xml(text));
}

std::string unfolding_element(const Unfolding& part) {
  return fmt::format("<details>\n<summary>{}</summary>\n", escape_xml(part.summary)) +
         pre_element(part.text) + "</details>\n";
}

class Cards {
 public:
  explicit Cards(std::size_t samples) : samples_(samples) {}

  std::string element_of(const Card& card) {
    const Sign sign = sign_of(card.status);
    std::string out = fmt::format("<article class=\"card {}\" id=\"{}\">\n<header>\n<h3>{}</h3>\n",
                                  sign.name, escape_xml(card.id), escape_xml(card.title));
    out +=
        fmt::format("<p class=\"where\">{}</p>\n<span class=\"verdict\">{} {}</span>\n</header>\n",
                    escape_xml(card.subtitle), sign.sign, escape_xml(card.verdict));
    for (const std::string& text : card.paragraphs) out += element("p", text);
    for (const PageTable& table : card.tables) out += table_element(table);
    for (const std::string& text : card.remarks) out += element("p", text);
    for (const Figure& figure : card.figures) out += element_of(figure);
    std::string commands;
    for (const std::string& command : card.commands) commands += command + "\n";
    if (!commands.empty()) out += pre_element(commands);
    for (const Unfolding& part : card.unfolding) out += unfolding_element(part);
    return out + "</article>\n";
  }

 private:
  std::string element_of(const Figure& figure) {
    const ThinnedFigure thin = thin_figure(figure, samples_);
    const std::string usage =
        ++figures_ == 1 ? fmt::format("<p id=\"usage\" class=\"hint\">{}</p>\n", usage_hint) : "";
    return usage + figure_element(thin.figure, {.id = fmt::format("figure-{}", figures_),
                                                .heading = "h4",
                                                .hint = "",
                                                .hint_id = "usage",
                                                .x_digits = 6,
                                                .y_digits = 6,
                                                .hidden = thin.hidden});
  }

  std::size_t samples_, figures_ = 0;
};

std::string place_of(std::size_t group) { return fmt::format("group-{}", group + 1); }

/// Past the list of all items, for those who go by keyboard.
std::string skip_link(const std::vector<CardGroup>& groups) {
  if (groups.empty()) return {};
  return fmt::format("<a class=\"skip\" href=\"#{}\">Skip the contents</a>\n", place_of(0));
}

std::string index_element(const std::vector<CardGroup>& groups) {
  std::string out = "<nav class=\"contents index\" aria-label=\"Contents\">\n";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const CardGroup& group = groups[i];
    out += fmt::format("<h2><a href=\"#{}\">{}</a></h2>\n<ol>\n", place_of(i),
                       escape_xml(group.title));
    for (const Card& card : group.cards) {
      const Sign sign = sign_of(card.status);
      out += fmt::format(
          "<li class=\"{}\"><span class=\"mark\" role=\"img\" aria-label=\"{}\">{}</span>"
          "<a href=\"#{}\">{}</a></li>\n",
          sign.name, escape_xml(card.verdict), sign.sign, escape_xml(card.id),
          escape_xml(card.title));
    }
    out += "</ol>\n";
  }
  return out + "</nav>\n";
}

std::string headline_list(const std::vector<Headline>& headlines) {
  std::string out = "<ul class=\"headlines\">\n";
  for (const Headline& h : headlines) {
    const char* name = h.status == Headline::Status::good   ? " class=\"good\""
                       : h.status == Headline::Status::warn ? " class=\"warn\""
                                                            : "";
    out += fmt::format(
        "<li{}><span class=\"name\">{}</span><span class=\"value\">{}</span>"
        "<span class=\"note\">{}</span></li>\n",
        name, escape_xml(h.label), escape_xml(h.value), escape_xml(h.note));
  }
  return out + "</ul>\n";
}

}  // namespace

std::string render_gallery(const Gallery& gallery, std::size_t samples) {
  std::string out = page_head(gallery.title, std::string(page_style) + std::string(gallery_style));
  out += "<body class=\"report\">\n" + skip_link(gallery.groups) + "<main>\n" +
         element("h1", gallery.title);
  if (!gallery.subtitle.empty()) {
    out += fmt::format("<p class=\"subtitle\">{}</p>\n", escape_xml(gallery.subtitle));
  }
  if (!gallery.headlines.empty()) out += headline_list(gallery.headlines);
  out += "<section>\n";
  for (const std::string& text : gallery.paragraphs) out += element("p", text);
  for (const PageLink& link : gallery.links) {
    out +=
        fmt::format("<p><a href=\"{}\">{}</a></p>\n", escape_xml(link.file), escape_xml(link.text));
  }
  out += "</section>\n" + index_element(gallery.groups);
  Cards cards(samples);
  for (std::size_t i = 0; i < gallery.groups.size(); ++i) {
    const CardGroup& group = gallery.groups[i];
    out += fmt::format("<section id=\"{}\">\n", place_of(i)) + element("h2", group.title);
    if (!group.subtitle.empty()) out += element("p", group.subtitle);
    for (const std::string& text : group.paragraphs) out += element("p", text);
    for (const Card& card : group.cards) out += cards.element_of(card);
    out += "</section>\n";
  }
  out += element("footer", gallery.footer);
  return out + "</main>\n" + script_element() + "</body>\n</html>\n";
}

Figure thinned(const Figure& figure, std::size_t samples) {
  return thin_figure(figure, samples).figure;
}

}  // namespace bristle
