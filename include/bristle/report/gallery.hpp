#pragma once

/// Many results on one page: groups of cards, each with a verdict, tables, a figure, and text that
/// unfolds.
///
///   Gallery gallery{.title = "Reproduced"};
///   gallery.groups.push_back({.title = "Lin 2001", .cards = {card}});
///   write_file("index.html", render_gallery(gallery));
///
/// As the report page it is one file without network access, light or dark as the reader has it,
/// fits a phone, and every figure reads out and zooms. All text is escaped.

#include <string>
#include <vector>

#include "bristle/report/page.hpp"

namespace bristle {

/// Text as it is, such as a file or a command, behind a summary that unfolds it.
struct Unfolding {
  std::string summary{}, text{};
};

struct Card {
  enum class Status { good, corrected, open, bad };

  std::string id{};  ///< a place to link to, unique in the page
  std::string title{}, subtitle{}, verdict{};
  Status status = Status::good;
  std::vector<std::string> paragraphs{};
  std::vector<PageTable> tables{};
  std::vector<std::string> remarks{};  ///< below the tables
  std::vector<Figure> figures{};
  std::vector<std::string> commands{};  ///< lines for a shell
  std::vector<Unfolding> unfolding{};
};

struct CardGroup {
  std::string title{}, subtitle{};
  std::vector<std::string> paragraphs{};
  std::vector<Card> cards{};
};

/// To a file beside the page.
struct PageLink {
  std::string text{}, file{};
};

struct Gallery {
  std::string title{}, subtitle{};
  std::vector<Headline> headlines{};
  std::vector<std::string> paragraphs{};
  std::vector<PageLink> links{};  ///< below the paragraphs
  std::vector<CardGroup> groups{};
  std::string footer{};
};

/// `samples` is the most of a curve; longer ones keep their extremes.
std::string render_gallery(const Gallery& gallery, std::size_t samples = 1200);

/// A figure whose curves have at most `samples` samples, extremes kept.
Figure thinned(const Figure& figure, std::size_t samples);

}  // namespace bristle
