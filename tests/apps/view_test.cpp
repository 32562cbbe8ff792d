// The animated view in the reports of the command.

#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Cli, ReportsOfBodiesShowTheirMotionAndThoseOfRigsDoNot) {
  ASSERT_EQ(run("run ball-incline --set output.samples=300 --out " + path("ball")).code, 0);
  const std::string ball = read(path("ball/report.html"));
  EXPECT_THAT(ball, HasSubstr("<h2>Motion</h2>"));
  EXPECT_THAT(ball, HasSubstr("id=\"scene-1-data\""));
  // Its data are small beside the library: floats of some 600 frames.
  const std::size_t from = ball.find("id=\"scene-1-data\"");
  EXPECT_LT(ball.find("</script>", from) - from, 100000u);
  ASSERT_EQ(run("run mass-spring --set output.samples=300 --out " + path("rig")).code, 0);
  const std::string rig = read(path("rig/report.html"));
  EXPECT_THAT(rig, Not(HasSubstr("<h2>Motion</h2>")));
  EXPECT_THAT(rig, Not(HasSubstr("WebGL")));
}

TEST_F(Cli, FramesAreAChoice) {
  ASSERT_EQ(run("run ball-incline --set output.frames=0 --out " + path("none")).code, 0);
  EXPECT_THAT(read(path("none/report.html")), Not(HasSubstr("WebGL")));
  const std::string out = path("refused");
  expect_refused("run ball-incline --set output.frames=-1 --out " + out, {"output.frames", "-1"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace bristle
