#include "bristle/io/atomic_file.hpp"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    std::random_device random;
    do {
      folder_ = fs::temp_directory_path() / ("bristle_file_test_" + std::to_string(random()));
    } while (!fs::create_directory(folder_));
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string failure(const fs::path& path, std::string_view content = "new") {
  try {
    write_file(path, content);
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().file, path.string());
    return error.what();
  }
  ADD_FAILURE() << "written: " << path;
  return {};
}

/// One that is not the user's.
std::string failure_of_machine(const fs::path& path, std::string_view content = "new") {
  try {
    write_file(path, content);
  } catch (const WriteError& error) {
    return error.what();
  }
  ADD_FAILURE() << "written: " << path;
  return {};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST_F(AtomicFile, WritesEveryByte) {
  const std::string content("a\0b\r\nc\n", 7);
  write_file(folder_ / "a.bin", content);
  EXPECT_EQ(content_of(folder_ / "a.bin"), content);
  EXPECT_EQ(entries(), 1) << "a temporary was left behind";
}

TEST_F(AtomicFile, ReplacesAnOldFile) {
  write_file(folder_ / "a.txt", "a long old text");
  write_file(folder_ / "a.txt", "new");
  EXPECT_EQ(content_of(folder_ / "a.txt"), "new");
  write_file(folder_ / "a.txt", "");
  EXPECT_EQ(content_of(folder_ / "a.txt"), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, NameAsLongAsTheSystemAllows) {
  const fs::path path = folder_ / std::string(255, 'n');
  write_file(path, "new");
  EXPECT_EQ(content_of(path), "new");
}

TEST_F(AtomicFile, KeepsPermissions) {
  const fs::path path = folder_ / "a.txt";
  write_file(path, "old");
  const fs::perms wanted = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path, wanted);
  write_file(path, "new");
  EXPECT_EQ(fs::status(path).permissions(), wanted);
}

TEST_F(AtomicFile, SymbolicLinkStaysALink) {
  write_file(folder_ / "real.txt", "old");
  fs::create_symlink("real.txt", folder_ / "link.txt");
  write_file(folder_ / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(content_of(folder_ / "real.txt"), "new");
  EXPECT_EQ(entries(), 2);
}

TEST_F(AtomicFile, MissingFolderIsNamed) {
  const std::string text = failure(folder_ / "none" / "a.txt");
  EXPECT_TRUE(contains(text, "the folder '" + (folder_ / "none").string() + "' does not exist"))
      << text;
  EXPECT_FALSE(fs::exists(folder_ / "none"));
}

TEST_F(AtomicFile, ParentThatIsAFile) {
  write_file(folder_ / "file", "x");
  EXPECT_FALSE(failure(folder_ / "file" / "a.txt").empty());
  EXPECT_EQ(content_of(folder_ / "file"), "x");
}

TEST_F(AtomicFile, FolderIsNotReplaced) {
  fs::create_directory(folder_ / "sub");
  EXPECT_TRUE(contains(failure(folder_ / "sub"), "it names a folder"));
  EXPECT_TRUE(contains(failure(folder_ / "new" / ""), "it names a folder"));
  EXPECT_TRUE(contains(failure(""), "its name is empty"));
}

// Limits the size of files, as a full disk would, but also for root.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  FileSizeLimit(FileSizeLimit&&) = delete;
  FileSizeLimit& operator=(FileSizeLimit&&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_{};
};

TEST_F(AtomicFile, FailureLeavesTheOldFileAndNoTemporary) {
  const fs::path path = folder_ / "a.txt";
  write_file(path, "old");
  std::string text;
  {
    const FileSizeLimit limit(1000);
    text = failure_of_machine(path, std::string(1000000, 'x'));
  }
  EXPECT_TRUE(contains(text, path.string() + ": cannot write the file: File too large")) << text;
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(entries(), 1) << "a temporary was left behind";
}

TEST_F(AtomicFile, DeviceIsWrittenInPlace) {
  if (!fs::is_character_file("/dev/null")) GTEST_SKIP();
  fs::create_symlink("/dev/null", folder_ / "null");
  write_file(folder_ / "null", "x");
  EXPECT_TRUE(fs::is_symlink(folder_ / "null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, FullDeviceGivesTheSystemsReason) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP();
  fs::create_symlink("/dev/full", folder_ / "full");
  EXPECT_TRUE(contains(failure_of_machine(folder_ / "full"), "No space left on device"));
}

std::string refusal_of(const fs::path& path) {
  try {
    check_writable(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(AtomicFile, ItIsKnownBeforeWhetherAFileCanBeWritten) {
  write_file(folder_ / "a.txt", "old");
  fs::create_directory(folder_ / "sub");
  EXPECT_EQ(refusal_of(folder_ / "a.txt"), "accepted");
  EXPECT_EQ(refusal_of(folder_ / "b.txt"), "accepted");
  EXPECT_EQ(refusal_of("/dev/null"), "accepted");
  EXPECT_EQ(entries(), 2) << "nothing is written";
  EXPECT_EQ(content_of(folder_ / "a.txt"), "old");
  EXPECT_TRUE(contains(refusal_of(folder_ / "none" / "a.txt"), "does not exist"));
  EXPECT_TRUE(contains(refusal_of(folder_ / "a.txt" / "b.txt"), "is not a folder"));
  EXPECT_TRUE(contains(refusal_of(folder_ / "sub"), "it names a folder"));
  EXPECT_TRUE(contains(refusal_of(folder_ / std::string(256, 'n')), "File name too long"));
  EXPECT_TRUE(contains(refusal_of("/proc/none"), "cannot write the file"));
  EXPECT_TRUE(contains(refusal_of(""), "its name is empty"));
}

// A program that is killed removes nothing; one that is at work is not to lose what it writes.
TEST_F(AtomicFile, LeftOversAreClearedAwayUnlessTheyAreLocked) {
  const fs::path left = temporary_name(folder_, "left"), used = temporary_name(folder_, "used");
  std::ofstream(left) << "half";
  std::ofstream(used) << "half";
  std::ofstream(folder_ / ".bristle-mine.tmp") << "not a name of ours";
  fs::create_directory(temporary_name(folder_, "folder"));
  const int file = ::open(used.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  check_writable(folder_ / "a.txt");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(used));
  EXPECT_EQ(entries(), 3);
  ::close(file);
  clear_left_overs(folder_);
  EXPECT_FALSE(fs::exists(used));
  clear_left_overs(folder_ / "none");
}

TEST_F(AtomicFile, WritersAndThoseWhoClearUpDoNotDisturbEachOther) {
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) clear_left_overs(folder_);
  });
  for (int i = 0; i < 200; ++i) EXPECT_NO_THROW(write_file(folder_ / "a.txt", std::to_string(i)));
  done = true;
  other.join();
  EXPECT_EQ(content_of(folder_ / "a.txt"), "199");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, ReaderNeverSeesHalfAFile) {
  const fs::path path = folder_ / "a.txt";
  const std::string first(100000, 'a');
  const std::string second(200000, 'b');
  write_file(path, first);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) write_file(path, i % 2 == 0 ? second : first);
    done = true;
  });
  int torn = 0;
  while (!done) {
    const std::string seen = content_of(path);
    if (seen != first && seen != second) ++torn;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace bristle
