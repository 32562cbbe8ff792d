#pragma once

/// Published items, computed again.
///
///   const ItemResult result = reproduce(item);
///   result.verdict; result.numbers[0].computed; result.figure;
///
/// A result is kept under a key that is made of the item as it is written and of the program, so
/// that a change of either computes it anew.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bristle/papers/verdict.hpp"
#include "bristle/report/gallery.hpp"

namespace bristle::papers {

struct ItemResult {
  std::string id{};
  Verdict verdict = Verdict::differs;
  std::vector<Judged> numbers{};  ///< as item.numbers
  /// Explanations as they are written, and with their numbers.
  std::map<std::string, std::string> said{};
  Figure figure{};       ///< thinned; without panels if the item has none
  std::string error{};   ///< why it could not be computed; it then differs
  std::string absent{};  ///< what is not at hand to compute it; it is then not judged
};

/// Never throws for what goes wrong inside an item: that is its result.
ItemResult reproduce(const Item& item);

/// A name for a file: the same for the same item and program.
std::string cache_key(const Item& item, const std::string& program);
std::string to_cache(const ItemResult& result);
/// Nothing for a text that is not a result of this item.
std::optional<ItemResult> from_cache(const Item& item, const std::string& text);

/// [{"id", "published", "computed", "tolerance", "verdict", "numbers", …}, …] in the order of the
/// papers; the first three are those of the item's first judged value. Items of an earlier
/// results.json that were not asked for follow as they were.
std::string results_json(const std::vector<Paper>& papers, const std::vector<ItemResult>& results,
                         const std::string& earlier_json = "");
/// Ids of those that differ.
std::vector<std::string> differing(const std::vector<ItemResult>& results);
/// Ids that the earlier results.json has as anything but "differs" and that differ now.
std::vector<std::string> regressions(const std::string& earlier_json,
                                     const std::vector<ItemResult>& results);

/// How many numbers and sentences were judged, and how: a sentence.
std::string tally(const std::vector<ItemResult>& results);

/// The page; `results` in the order of the items of `papers`.
Gallery gallery_of(const std::vector<Paper>& papers, const std::vector<ItemResult>& results);

}  // namespace bristle::papers
