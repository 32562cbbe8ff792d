#pragma once

// Running the command as a user does.

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/paths.hpp"

namespace bristle {

struct Result {
  int code = -1;
  std::string out, err;
};

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("bristle-cli-" + std::to_string(::getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result run(const std::string& arguments) const { return run_under("", arguments); }
  /// With variables set before the command, or another one of the shell's.
  Result run_under(const std::string& before, const std::string& arguments) const {
    const std::string err = (folder_ / "stderr").string();
    // Not a sum of strings: where it is inlined, g++ 12 sees copies that are none and warns. First
    // the file, so that arguments may lead standard error elsewhere.
    const std::string command =
        fmt::format("{} 2>{} {} {}", before, err, testing_support::cli(), arguments);
    Result result;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> buffer;
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
      result.out.append(buffer.data(), n);
    }
    const int status = ::pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.err = read(err);
    return result;
  }
  /// A run that is sent a signal as soon as `ready`; its exit code is −1 if that ended it.
  template <class Ready>
  Result signalled(const std::string& arguments, int signal, const Ready& ready) const {
    const std::string err = path("stderr");
    const ::pid_t child = ::fork();
    if (child == 0) {
      const std::string line =
          fmt::format("exec {} {} 2>{} >/dev/null", testing_support::cli(), arguments, err);
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    int status = 0;
    while (!ready() && std::chrono::steady_clock::now() < give_up) {
      if (::waitpid(child, &status, WNOHANG) != 0) {
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", read(err)};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(child, signal);
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", read(err)};
  }
  /// Bad input: exit 2, one line on stderr that says all of `words`, nothing on stdout.
  void expect_refused(const std::string& arguments, const std::vector<std::string>& words) const {
    const Result r = run(arguments);
    EXPECT_EQ(r.code, 2) << arguments << "\n" << r.err;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << arguments << "\n" << r.err;
    for (const std::string& word : words)
      EXPECT_THAT(r.err, ::testing::HasSubstr(word)) << arguments;
  }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }
  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

}  // namespace bristle
