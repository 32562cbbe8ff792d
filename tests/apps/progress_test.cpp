// The progress bar of long commands.

#include "progress.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace bristle::cli {
namespace {

TEST(ProgressBar, IsAsWideAsItIsWhateverTheShare) {
  EXPECT_EQ(progress_line("run", 0.5, "t = 1 s"),
            "run [###############...............]  50 %  t = 1 s");
  const std::string full = "run [##############################] 100 %  ";
  const std::string empty = "run [..............................]   0 %  ";
  EXPECT_EQ(progress_line("run", 1, ""), full);
  EXPECT_EQ(progress_line("run", 3, ""), full) << "more work than was foreseen";
  EXPECT_EQ(progress_line("run", 0, ""), empty);
  EXPECT_EQ(progress_line("run", -1, ""), empty);
  EXPECT_EQ(progress_line("run", std::nan(""), ""), empty);
}

}  // namespace
}  // namespace bristle::cli
