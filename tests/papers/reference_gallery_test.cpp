// Every published item, computed: the verdict of each of its numbers is the one in verdicts.txt.

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/papers/reproduce.hpp"
#include "support/paths.hpp"

namespace bristle::papers {
namespace {

using Lines = std::vector<std::string>;

/// Item -> its lines "number | published | where it stands | verdict", as scripts/pin_verdicts
/// writes them.
const std::map<std::string, Lines>& pinned() {
  static const std::map<std::string, Lines> table = [] {
    std::map<std::string, Lines> items;
    std::ifstream file(testing_support::source_dir() + "/tests/papers/verdicts.txt");
    std::string id;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("  ")) {
        items[id].push_back(line.substr(2));
      } else if (!line.empty()) {
        id = line;
        items[id];
      }
    }
    return items;
  }();
  return table;
}

Lines ids() {
  Lines list;
  for (const auto& [id, lines] : pinned()) list.push_back(id);
  return list;
}

/// As results.json has them, which is what the script reads.
Lines verdicts_of(const Item& item, const ItemResult& result) {
  Paper paper;
  paper.items = {item};
  const auto json = nlohmann::json::parse(results_json({paper}, {result}));
  Lines lines;
  for (const auto& number : json.at(0).at("numbers")) {
    const auto text = [&](const char* key) { return number.value(key, std::string()); };
    lines.push_back(fmt::format("{} | {} | {} | {}", text("name"), text("text"),
                                text("print") + text("basis"), text("verdict")));
  }
  return lines;
}

class ReferenceGallery : public ::testing::TestWithParam<std::string> {};

TEST_P(ReferenceGallery, VerdictsAreThosePinned) {
  for (const Paper& paper : builtin_papers(testing_support::measured_dir())) {
    for (const Item& item : paper.items) {
      if (item.id != GetParam()) continue;
      const ItemResult result = reproduce(item);
      // The file is named by the source itself, which knows what it needs.
      if (!result.absent.empty())
        GTEST_SKIP() << "measurements are absent: emps (needed: " << result.absent << ")";
      EXPECT_EQ(result.error, "");
      EXPECT_NE(result.verdict, Verdict::differs);
      EXPECT_THAT(verdicts_of(item, result), ::testing::ElementsAreArray(pinned().at(item.id)));
      return;
    }
  }
  FAIL() << GetParam() << " is pinned, and is no item any more";
}
INSTANTIATE_TEST_SUITE_P(Item, ReferenceGallery, ::testing::ValuesIn(ids()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) {
    if (c == '-' || c == '.') c = '_';
  }
  return name;
});

TEST(ReferenceGalleryTable, HasEveryItem) {
  for (const Paper& paper : builtin_papers()) {
    for (const Item& item : paper.items) {
      EXPECT_TRUE(pinned().contains(item.id)) << "scripts/pin_verdicts writes the table anew";
    }
  }
  EXPECT_GE(pinned().size(), 90u);
}

}  // namespace
}  // namespace bristle::papers
