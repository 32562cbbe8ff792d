#include "bristle/core/input_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

constexpr const char* standard_input = "-";

struct Close {
  void operator()(std::FILE* file) const noexcept {
    if (file != stdin) std::fclose(file);
  }
};
using FileHandle = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void refuse(const fs::path& path, const std::string& reason,
                         std::string expected = {}) {
  throw InputError({.message = "cannot read the file: " + reason,
                    .file = input_name(path),
                    .expected = std::move(expected)});
}

/// Memory that ran out is no fault of the file.
[[noreturn]] void refuse_errno(const fs::path& path) {
  if (errno == ENOMEM) throw std::bad_alloc();
  refuse(path, std::generic_category().message(errno));
}

[[noreturn]] void refuse_size(const fs::path& path, const std::string& size, std::uintmax_t most) {
  refuse(path, fmt::format("it has {}", size), fmt::format("at most {}", byte_text(most)));
}

std::string kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "a device";
  }
}

FileHandle opened(const fs::path& path, std::uintmax_t most) {
  if (path == standard_input) return FileHandle(stdin);
  require_input(path, most);
  errno = 0;
  FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse_errno(path);
  return file;
}

}  // namespace

std::string byte_text(std::uintmax_t bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
  return fmt::format("{:.4g} {}", size, units[unit]);
}

std::string input_name(const fs::path& path) {
  return path == standard_input ? "standard input" : path.string();
}

void require_input(const fs::path& path, std::uintmax_t most) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    refuse(path, error ? error.message()
                       : std::generic_category().message(
                             static_cast<int>(std::errc::no_such_file_or_directory)));
  }
  if (!fs::is_regular_file(status)) {
    refuse(path, fmt::format("it is {}, not a file", kind_of(status.type())),
           fs::is_directory(status) ? "" : "a regular file, or '-' for standard input");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > most) refuse_size(path, byte_text(size), most);
  errno = 0;
  if (!FileHandle(std::fopen(path.c_str(), "rb"))) refuse_errno(path);
}

std::string read_input(const fs::path& path, std::uintmax_t most) {
  const FileHandle file = opened(path, most);
  std::string text;
  std::error_code unsized;
  const std::uintmax_t size = path == standard_input ? 0 : fs::file_size(path, unsized);
  if (!unsized) text.reserve(static_cast<std::size_t>(size));
  std::array<char, 1u << 16> block;
  errno = 0;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    // Files of the system have no size of their own, and others may grow.
    if (text.size() + count > most) refuse_size(path, "more bytes", most);
    text.append(block.data(), count);
  }
  if (std::ferror(file.get()) != 0) refuse_errno(path);
  return text;
}

}  // namespace bristle
