// bristle reproduce, as a user runs it.

#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ReproduceCli : public Cli {
 protected:
  /// A folder with one document whose only number is printed as given.
  std::string papers(const std::string& name, const std::string& printed) const {
    fs::create_directories(folder_ / name);
    write(name + "/p.yaml",
          "title: T\nauthors: A\nyear: 2000\nitems:\n"
          "  - {id: p-1, where: Table 1, title: One, data: {d: {table: {k: 2*3}}},\n"
          "     numbers: [{name: k, of: k, published: " +
              printed + "}]}\n");
    return path(name);
  }
};

TEST_F(ReproduceCli, WritesAPageAndResultsAndKeepsThem) {
  const std::string command = "reproduce --papers " + papers("good", "6") + " --out " + path("o");
  const Result first = run(command), second = run(command);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("1 computed"));
  EXPECT_THAT(second.out, HasSubstr("0 computed"));
  const auto json = nlohmann::json::parse(read(folder_ / "o" / "results.json"));
  EXPECT_EQ(json[0]["verdict"], "reproduced");
  EXPECT_EQ(json[0]["computed"], 6);
  EXPECT_THAT(read(folder_ / "o" / "index.html"), HasSubstr("p-1"));
}

TEST_F(ReproduceCli, EndsWithOneIfAnItemDiffers) {
  const std::string good = papers("good", "6"), bad = papers("bad", "7");
  const std::string out = " --out " + path("o");
  const Result fresh = run("reproduce --papers " + bad + " --out " + path("new"));
  EXPECT_EQ(fresh.code, 1);
  EXPECT_THAT(fresh.err, HasSubstr("differ from print: p-1"));
  EXPECT_TRUE(fs::exists(folder_ / "new" / "index.html"));  // the page shows where
  EXPECT_EQ(run("reproduce --papers " + good + out).code, 0);
  const Result worse = run("reproduce --papers " + bad + out);
  EXPECT_EQ(worse.code, 1);
  EXPECT_THAT(worse.err, HasSubstr("passed before and differ now: p-1"));
}

TEST_F(ReproduceCli, Lists) {
  const Result r = run("reproduce --list");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("lin-fig-3.7"));
  EXPECT_THAT(r.out, HasSubstr("Kudra"));
}

TEST_F(ReproduceCli, RefusesWithOneLine) {
  expect_refused("reproduce lin-fig-3.77 --out " + path("o"), {"did you mean 'lin-fig-3.7'"});
  expect_refused("reproduce --out /proc/none", {"--out", "/proc/none"});
  expect_refused("reproduce --papers " + path("nowhere"), {"nowhere"});
  EXPECT_FALSE(fs::exists(path("o")));
}

}  // namespace
}  // namespace bristle
