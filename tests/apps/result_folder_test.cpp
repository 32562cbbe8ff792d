// Folders of results: whole or not there, one writer at a time, and what is the user's stays.

#include "result_folder.hpp"

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bristle/io/atomic_file.hpp"
#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::refusal;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class Results : public ::testing::Test {
 protected:
  /// Everything below a folder, files with what is in them.
  static std::map<std::string, std::string> tree(const fs::path& folder) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const bool is_folder = entry.symlink_status().type() == fs::file_type::directory;
      all[entry.path().lexically_relative(folder).string()] =
          is_folder ? "" : content_of(entry.path());
    }
    return all;
  }
  using Tree = std::map<std::string, std::string>;

  void write_results(const std::string& what, const std::vector<std::string>& files) const {
    ResultFolder results(out_.string(), names_);
    for (const std::string& file : files) {
      fs::create_directories((results.draft() / file).parent_path());
      write_file(results.draft() / file, what);
    }
    results.publish();
  }

  testing_support::ScratchFolder scratch_;
  fs::path out_ = scratch_ / "out";
  ResultNames names_{.files = {"a", "b", "c", "law/a"}, .kept = {".cache"}};
};

TEST_F(Results, AreOfTheLastRunAlone) {
  write_results("one", {"a", "b", "law/a"});
  EXPECT_EQ(
      tree(scratch_ / ""),
      (Tree{
          {"out", ""}, {"out/a", "one"}, {"out/b", "one"}, {"out/law", ""}, {"out/law/a", "one"}}));
  write_results("two", {"a", "c"});
  EXPECT_EQ(tree(scratch_ / ""), (Tree{{"out", ""}, {"out/a", "two"}, {"out/c", "two"}}));
}

TEST_F(Results, LeaveWhatIsNotTheirs) {
  write_results("one", {"a", "law/a"});
  scratch_.write("out/notes", "mine");
  scratch_.write("out/law/notes", "mine too");
  fs::create_symlink("notes", out_ / "link");
  fs::create_directory(out_ / ".cache");
  scratch_.write("out/.cache/item", "kept");
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat((out_ / "notes").c_str(), &before), 0);
  write_results("two", {"b"});
  const Tree whole = {{".cache", ""},   {".cache/item", "kept"},   {"b", "two"},
                      {"law", ""},      {"law/notes", "mine too"}, {"link", "mine"},
                      {"notes", "mine"}};
  EXPECT_EQ(tree(out_), whole);
  EXPECT_TRUE(fs::is_symlink(out_ / "link"));
  ASSERT_EQ(::stat((out_ / "notes").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino) << "the same file, not a copy";
  EXPECT_EQ(tree(scratch_ / "").size(), whole.size() + 1) << "nothing beside it";
}

// A folder of the user's is not to become another one, nor can a pipe be in two folders.
TEST_F(Results, ChangePlacesFileByFileWhereTheFolderCannot) {
  write_results("one", {"a", "law/a"});
  fs::create_directory(out_ / "mine");
  scratch_.write("out/mine/a", "mine");
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat(out_.c_str(), &before), 0);
  write_results("two", {"a", "b"});
  ASSERT_EQ(::stat(out_.c_str(), &after), 0);
  EXPECT_EQ(tree(out_), (Tree{{"a", "two"}, {"b", "two"}, {"mine", ""}, {"mine/a", "mine"}}));
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_ / ""), {}), 1);

  fs::remove_all(out_ / "mine");
  ASSERT_EQ(::mkfifo((out_ / "pipe").c_str(), 0600), 0);
  write_results("three", {"a"});
  EXPECT_EQ(content_of(out_ / "a"), "three");
  EXPECT_FALSE(fs::exists(out_ / "b"));
  EXPECT_TRUE(fs::is_fifo(out_ / "pipe"));
}

TEST_F(Results, OfTheCurrentFolderStayInIt) {
  write_results("one", {"a"});
  const fs::path here = fs::current_path();
  fs::current_path(out_);
  {
    ResultFolder results(".", names_);
    write_file(results.draft() / "b", "two");
    results.publish();
  }
  EXPECT_EQ(tree("."), (Tree{{"b", "two"}}));
  fs::current_path(here);
}

TEST_F(Results, AreFoundThroughALink) {
  fs::create_directory(scratch_ / "real");
  fs::create_directory_symlink("real", out_);
  write_results("one", {"a"});
  write_results("two", {"b"});
  EXPECT_TRUE(fs::is_symlink(out_));
  EXPECT_EQ(tree(scratch_ / "real"), (Tree{{"b", "two"}}));
}

TEST_F(Results, KeepTheRightsOfTheirFolder) {
  write_results("one", {"a"});
  fs::permissions(out_, fs::perms::owner_all);
  write_results("two", {"a"});
  EXPECT_EQ(fs::status(out_).permissions(), fs::perms::owner_all);
}

TEST_F(Results, ThatAreNotPublishedLeaveNothing) {
  out_ = scratch_ / "deep/in/there";
  {
    ResultFolder results(out_.string(), names_);
    write_file(results.draft() / "a", "half");
    results.kept(".cache");
  }
  EXPECT_EQ(tree(scratch_ / ""), Tree{});
  write_results("one", {"a"});
  {
    ResultFolder results(out_.string(), names_);
    write_file(results.draft() / "a", "half");
  }
  EXPECT_EQ(tree(out_), (Tree{{"a", "one"}}));
}

TEST_F(Results, HaveOneWriterAtATime) {
  for (const bool there : {false, true}) {
    if (there) write_results("one", {"a"});
    {
      const ResultFolder first(out_.string(), names_);
      std::string told;
      try {
        const ResultFolder second(out_.string(), names_);
      } catch (const InputError&) {
        ADD_FAILURE() << "it is no fault of the input";
      } catch (const std::runtime_error& error) {
        told = error.what();
      }
      EXPECT_THAT(told, HasSubstr("another bristle is at work on"));
      const ResultFolder beside((scratch_ / "other").string(), names_);
    }
    const ResultFolder after(out_.string(), names_);
  }
}

TEST_F(Results, AreRefusedBeforeTheWorkWhereTheyCannotBe) {
  scratch_.write("file", "");
  fs::create_symlink("nowhere", scratch_ / "broken");
  const auto told = [&](const std::string& folder) {
    return refusal([&] { const ResultFolder results(folder, names_); });
  };
  EXPECT_THAT(told((scratch_ / "file").string()), HasSubstr("Not a directory"));
  EXPECT_THAT(told((scratch_ / "file/out").string()), HasSubstr("Not a directory"));
  EXPECT_THAT(told((scratch_ / "broken").string()), HasSubstr("Not a directory"));
  EXPECT_THAT(told((scratch_ / std::string(256, 'n')).string()), HasSubstr("too long"));
  EXPECT_THAT(told("/proc/none"), HasSubstr("'/proc/none': cannot write results here"));
  EXPECT_EQ(tree(scratch_ / "").size(), 2U);
}

TEST_F(Results, AreNotHalfReplacedWhereOneOfThemCannotBe) {
  write_results("one", {"a", "c"});
  fs::create_directory(out_ / "b");
  scratch_.write("out/b/mine", "mine");
  EXPECT_THAT(refusal([&] { write_results("two", {"a", "b"}); }), HasSubstr("Is a directory"));
  EXPECT_EQ(tree(out_), (Tree{{"a", "one"}, {"b", ""}, {"b/mine", "mine"}, {"c", "one"}}));
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_ / ""), {}), 1);
}

// ---- after a kill -------------------------------------------------------------------------------

TEST_F(Results, ClearAwayWhatAKilledProgramLeft) {
  write_results("one", {"a"});
  const ::pid_t child = ::fork();
  if (child == 0) {
    const ResultFolder results(out_.string(), names_);
    write_file(results.draft() / "a", "half");
    ::_exit(0);  // as if killed: nothing is cleared away
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_ / ""), {}), 2);
  EXPECT_EQ(tree(out_), (Tree{{"a", "one"}}));
  scratch_.write("out/" + temporary_name("", "half").string(), "half");
  write_results("two", {"b"});
  EXPECT_EQ(tree(scratch_ / ""), (Tree{{"out", ""}, {"out/b", "two"}}));
}

TEST_F(Results, ThatWereBeingMovedOutComeBack) {
  write_results("one", {"a", "law/a"});
  const fs::path work = temporary_name(scratch_ / "", "out");
  fs::create_directories(work / "old" / "law");
  fs::create_directories(work / "draft");
  std::ofstream(work / "draft" / "a") << "two";
  fs::rename(out_ / "law/a", work / "old" / "law/a");
  { const ResultFolder results(out_.string(), names_); }
  EXPECT_EQ(tree(scratch_ / ""),
            (Tree{{"out", ""}, {"out/a", "one"}, {"out/law", ""}, {"out/law/a", "one"}}));
}

TEST_F(Results, ThatWereBeingMovedInGetThere) {
  const fs::path work = temporary_name(scratch_ / "", "out");
  fs::create_directories(out_);
  fs::create_directories(work / "away");
  fs::create_directories(work / "draft" / "law");
  std::ofstream(out_ / "a") << "two";
  std::ofstream(work / "away" / "b") << "one";
  std::ofstream(work / "draft" / "law" / "a") << "two";
  { const ResultFolder results(out_.string(), names_); }
  EXPECT_EQ(tree(scratch_ / ""),
            (Tree{{"out", ""}, {"out/a", "two"}, {"out/law", ""}, {"out/law/a", "two"}}));
}

// A name that is taken by a folder of the user's: the old file is not lost for that.
TEST_F(Results, ThatCannotComeBackAreKeptUntilTheyCan) {
  const fs::path work = temporary_name(scratch_ / "", "out");
  fs::create_directories(out_ / "a");
  scratch_.write("out/a/mine", "mine");
  fs::create_directories(work / "old");
  std::ofstream(work / "old" / "a") << "one";
  std::ofstream(work / "old" / "b") << "one";
  EXPECT_THAT(refusal([&] { const ResultFolder results(out_.string(), names_); }),
              HasSubstr("Is a directory"));
  EXPECT_EQ(tree(out_), (Tree{{"a", ""}, {"a/mine", "mine"}, {"b", "one"}}));
  EXPECT_EQ(tree(work), (Tree{{"old", ""}, {"old/a", "one"}}));
  fs::remove_all(out_ / "a");
  { const ResultFolder results(out_.string(), names_); }
  EXPECT_EQ(tree(scratch_ / ""), (Tree{{"out", ""}, {"out/a", "one"}, {"out/b", "one"}}));
}

// ---- seen by others -----------------------------------------------------------------------------

/// What is in two files of one folder, "" for one that is not there.
std::pair<std::string, std::string> seen(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_GE(opened, 0) << "the folder is always there";
  const auto read = [&](const char* name) {
    const int file = ::openat(opened, name, O_RDONLY);
    char text[16] = {};
    const ::ssize_t n = file < 0 ? 0 : ::read(file, text, sizeof text);
    if (file >= 0) ::close(file);
    return std::string(text, static_cast<std::size_t>(std::max<::ssize_t>(n, 0)));
  };
  const std::string a = read("a"), b = read("b");
  ::close(opened);
  return {a, b};
}

TEST_F(Results, AreNeverAMixture) {
  write_results("0", {"a", "b"});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 1; i < 60; ++i) write_results(std::to_string(i), {"a", "b"});
    done = true;
  });
  while (!done) {
    const auto [a, b] = seen(out_);
    // A folder that was just removed may have lost one of its files.
    if (a.empty() || b.empty()) continue;
    EXPECT_EQ(a, b);
  }
  writer.join();
}

}  // namespace
}  // namespace bristle::cli
