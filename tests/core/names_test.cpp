#include "bristle/core/names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bristle {
namespace {

const std::vector<std::string> parameters{"mu_s", "mu_k", "v_s", "sigma_0", "sigma_1", "sigma_2"};

TEST(NearestName, FindsASlipOfTheFingers) {
  EXPECT_EQ(nearest_name("sigma_O", parameters), "sigma_0");   // substitution
  EXPECT_EQ(nearest_name("sigma1", parameters), "sigma_1");    // deletion
  EXPECT_EQ(nearest_name("sigmma_2", parameters), "sigma_2");  // insertion
  EXPECT_EQ(nearest_name("v_s", parameters), "v_s");
}

TEST(NearestName, SwappedNeighboursCountOnce) {
  // Two substitutions lead to 'abxy' as well, and 'abxy' comes first.
  const std::vector<std::string> names{"abxy", "abdc"};
  EXPECT_EQ(nearest_name("abcd", names), "abdc");
}

TEST(NearestName, CaseAndHyphenDoNotCount) {
  const std::vector<std::string> names{"nu_s", "mu_s"};
  EXPECT_EQ(nearest_name("MU-S", names), "mu_s");
  EXPECT_EQ(nearest_name("Stribeck-Velocity", std::vector<std::string>{"stribeck_velocity"}),
            "stribeck_velocity");
}

TEST(NearestName, SpellingDecidesAmongEquals) {
  const std::vector<std::string> names{"MU", "mu"};
  EXPECT_EQ(nearest_name("mu", names), "mu");
  EXPECT_EQ(nearest_name("MU", names), "MU");
  EXPECT_EQ(nearest_name("sigma_7", parameters), "sigma_0") << "the first of equals";
}

TEST(NearestName, NothingCloseGivesNothing) {
  EXPECT_EQ(nearest_name("temperature", parameters), "");
  EXPECT_EQ(nearest_name("mu", {}), "");
  EXPECT_EQ(nearest_name("", parameters), "");
}

TEST(NearestName, ReachGrowsWithLength) {
  const std::vector<std::string> names{"abcdefghijkl"};
  EXPECT_EQ(nearest_name("abcdefgh____", names), "abcdefghijkl");  // 4 of 12
  EXPECT_EQ(nearest_name("abcdefg_____", names), "");              // 5 of 12
  const std::vector<std::string> brief{"abcde"};
  EXPECT_EQ(nearest_name("abc__", brief), "abcde");  // 2 of 5
  EXPECT_EQ(nearest_name("ab___", brief), "");       // 3 of 5
}

TEST(NearestName, NameWithNothingInCommonIsNotNear) {
  const std::vector<std::string> names{"F", "xy"};
  EXPECT_EQ(nearest_name("v", names), "");
  EXPECT_EQ(nearest_name("ab", names), "");
}

TEST(Quote, ShortensWithoutCuttingACharacter) {
  EXPECT_EQ(quote("mu"), "'mu'");
  const auto text = [](const char* start, std::size_t n, const char* end) {
    std::string made(start);
    made.append(n, 'a');
    made.append(end);
    return made;
  };
  EXPECT_EQ(quote(text("", 80, "")), text("'", 80, "'"));
  EXPECT_EQ(quote(text("", 81, "")), text("'", 80, "...'"));
  EXPECT_EQ(quote(text("", 79, "µµ")), text("'", 79, "...'"));
}

TEST(OneOf, ListsNames) {
  EXPECT_EQ(one_of(std::vector<std::string>{"a", "b"}), "one of 'a', 'b'");
}

TEST(Trimmed, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(trimmed(" \ta b\r "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Printable, NothingSteersATerminal) {
  EXPECT_EQ(printable("µm and 人"), "µm and 人");
  EXPECT_EQ(printable("a\x1b[2Jb\x7f"), "a\\x1b[2Jb\\u007f");
  EXPECT_EQ(printable("\u009b2J \u0085 \u00a0"), "\\u009b2J \\u0085 \u00a0");
  EXPECT_EQ(printable("\x9b\xff\xc2"), "\\x9b\\xff\\xc2");
  EXPECT_EQ(printable("a\tb\n\r", "\n\t"), "a\tb\n\\r");
}

TEST(OneOf, LongListsAreCut) {
  const std::string text = one_of(std::vector<std::string>(1000, "a"));
  EXPECT_LT(text.size(), 1000u);
  EXPECT_TRUE(text.ends_with("'a' and 900 more")) << text;
}

}  // namespace
}  // namespace bristle
