#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bristle/core/error.hpp"
#include "plot_detail.hpp"

namespace bristle::plot_detail {
namespace {

constexpr const char* converter = "rsvg-convert";

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& message) {
  throw InputError({.message = message, .file = path.string()});
}

[[noreturn]] void fail_with(int error, const std::filesystem::path& path) {
  fail(path, fmt::format("cannot run {}: {}", converter, std::generic_category().message(error)));
}

[[noreturn]] void fail_missing(const std::filesystem::path& path) {
  fail(path, fmt::format("a .png needs the program {}, which is not installed (Debian package "
                         "librsvg2-bin); a .svg needs no program",
                         converter));
}

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// Nameless files instead of pipes: nobody waits for the other end, so nothing can deadlock and
/// a converter that stops early cannot raise SIGPIPE here.
File scratch_file(const std::filesystem::path& path) {
  File file(std::tmpfile());
  if (file == nullptr) fail_with(errno, path);
  return file;
}

File holding(const std::string& text, const std::filesystem::path& path) {
  File file = scratch_file(path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  if (!written || std::fflush(file.get()) != 0) fail_with(errno, path);
  std::rewind(file.get());
  return file;
}

/// The child moved the shared offset to the end.
std::string content_of(const File& file) {
  std::rewind(file.get());
  std::string text;
  std::array<char, 1 << 14> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), got);
  }
  return text;
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  FileActions(FileActions&&) = delete;
  FileActions& operator=(FileActions&&) = delete;

  void use(const File& file, int as) {
    posix_spawn_file_actions_adddup2(&actions_, ::fileno(file.get()), as);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t start(const FileActions& actions, const std::filesystem::path& path) {
  // Twice the nominal size, for print and for dense screens.
  std::string name = converter, format = "--format=png", zoom = "--zoom=2";
  std::array<char*, 4> arguments = {name.data(), format.data(), zoom.data(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, converter, actions.get(), nullptr, arguments.data(), environ);
  if (error == ENOENT) fail_missing(path);
  if (error != 0) fail_with(error, path);
  return child;
}

bool succeeded(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_png(const std::string& data) { return data.rfind("\x89PNG", 0) == 0; }

}  // namespace

void require_png_converter(const std::filesystem::path& path) {
  const char* search = std::getenv("PATH");
  std::string_view rest = search != nullptr ? search : "/bin:/usr/bin";
  while (true) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path folder(rest.substr(0, end));
    if (::access((folder / converter).c_str(), X_OK) == 0) return;
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  fail_missing(path);
}

std::string svg_to_png(const std::string& svg, const std::filesystem::path& path) {
  const File input = holding(svg, path), output = scratch_file(path), errors = scratch_file(path);
  FileActions actions;
  actions.use(input, STDIN_FILENO);
  actions.use(output, STDOUT_FILENO);
  actions.use(errors, STDERR_FILENO);
  const bool done = succeeded(start(actions, path));
  std::string png = content_of(output);
  if (!done || !is_png(png)) {
    fail(path, fmt::format("{} failed: {}", converter, content_of(errors)));
  }
  return png;
}

}  // namespace bristle::plot_detail
