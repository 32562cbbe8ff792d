// bristle patch.

#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

class PatchCli : public Cli {
 protected:
  nlohmann::json answer(const std::string& arguments) const {
    const Result r = run("patch --json " + arguments);
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    return nlohmann::json::parse(r.out);
  }
};

TEST_F(PatchCli, ADiscHasItsMomentsAndFits) {
  const auto json = answer("--shape 'disc: {radius: 10 mm}'");
  EXPECT_NEAR(json["coefficients"]["c_0_0_-1"], 0.01 * 2 / 3, 1e-16);
  EXPECT_EQ(json["coefficients"]["c_0_1_1"], 0);
  ASSERT_EQ(json["laws"].size(), 14);
  EXPECT_EQ(json["laws"][0]["name"], "exact");
  EXPECT_LT(json["laws"][0]["rms"], 1e-14);
  EXPECT_EQ(json["laws"][1]["name"], "I00");
  EXPECT_NEAR(json["laws"][1]["m"], 1.7443, 1e-4);
  EXPECT_NEAR(json["laws"][1]["b"], 0.0067349, 1e-6);
  EXPECT_NEAR(json["laws"][1]["rms"], 0.07632, 1e-5);
}

TEST_F(PatchCli, AFileMayHoldAnyArea) {
  const std::string file = write("pad.yaml",
                                 "shape: {rectangle: {length: 20 cm, width: 10 cm}}\n"
                                 "pressure: {slope: [2, 0]}\n"
                                 "at: [5 cm, 0]\n");
  const auto json = answer(file + " --law I00 --law ellipsoid");
  ASSERT_EQ(json["laws"].size(), 2);
  EXPECT_NEAR(json["centre"][0], 0.05 + 2 * 0.2 * 0.2 / 12, 1e-12);
  const auto pole = answer(file + " --law I00 --about-pole");
  EXPECT_GT(pole["laws"][0]["rms"], json["laws"][0]["rms"]);
}

TEST_F(PatchCli, DrawsAndReports) {
  const std::string svg = (folder_ / "p.svg").string(), html = (folder_ / "p.html").string();
  const Result r =
      run("patch --shape 'annulus: {inner: 4 mm, outer: 5 mm}' --law exact --law I11 "
          "--plot " +
          svg + " --report " + html);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("I11"));
  EXPECT_GT(std::filesystem::file_size(svg), 2000);
  EXPECT_GT(std::filesystem::file_size(html), 2000);
}

TEST_F(PatchCli, RefusesWhatIsNoArea) {
  EXPECT_THAT(run("patch").err, HasSubstr("either as a file or with --shape"));
  EXPECT_THAT(run("patch --shape 'disk: {radius: 1}'").err, HasSubstr("did you mean 'disc'?"));
  EXPECT_THAT(run("patch --shape 'disc: {radius: -1}'").err, HasSubstr("radius"));
  EXPECT_THAT(run("patch --shape 'disc: {radius: 1}' --law I0").err,
              HasSubstr("did you mean 'I00'?"));
  EXPECT_EQ(run("patch --shape 'disc: {radius: 1}' --law I0").code, 2);
}

}  // namespace
}  // namespace bristle
