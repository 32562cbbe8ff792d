#include "bristle/core/input_file.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing_support::refusal;
using testing_support::ScratchFolder;

std::string refused(const std::filesystem::path& path, std::uintmax_t most = 100) {
  const std::string read = refusal([&] { read_input(path, most); });
  EXPECT_EQ(refusal([&] { require_input(path, most); }), read);
  return read;
}

TEST(InputFile, IsReadToTheLastByte) {
  const ScratchFolder folder;
  const std::string text("a\0b\r\n", 5);
  EXPECT_EQ(read_input(folder.write("a", text), 5), text);
  EXPECT_EQ(read_input(folder.write("none", ""), 5), "");
}

TEST(InputFile, HasAtMostTheSizeThatIsAllowed) {
  const ScratchFolder folder;
  const std::string path = folder.write("a", std::string(2048, 'a'));
  EXPECT_EQ(refused(path, 2047),
            path + ": cannot read the file: it has 2 kB; expected at most 1.999 kB");
  EXPECT_EQ(read_input(path, 2048).size(), 2048u);
}

TEST(InputFile, OnlyARegularFileIsOpened) {
  const ScratchFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refused(pipe),
              EndsWith("it is a pipe, not a file; expected a regular file, or '-' for "
                       "standard input"));
  EXPECT_THAT(refused("/dev/zero"), HasSubstr("it is a device, not a file"));
  EXPECT_THAT(refused(folder / ""), EndsWith("it is a folder, not a file"));
  EXPECT_THAT(refused(folder / "none"), EndsWith("No such file or directory"));
  EXPECT_THAT(refused(folder / std::string(300, 'a')), EndsWith("File name too long"));
}

TEST(InputFile, SizesAreReadable) {
  EXPECT_EQ(byte_text(5), "5 bytes");
  EXPECT_EQ(byte_text(1536), "1.5 kB");
  EXPECT_EQ(byte_text(limits::table_bytes), "1 GB");
}

}  // namespace
}  // namespace bristle
