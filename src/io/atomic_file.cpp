#include "bristle/io/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw InputError({.message = "cannot write the file: " + reason, .file = path.string()});
}

[[noreturn]] void fail_with_errno(const fs::path& path) {
  fail(path, std::generic_category().message(errno));
}

class Temporary {
 public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  Temporary(Temporary&&) = delete;
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }

  void keep() noexcept { path_.clear(); }

 private:
  fs::path path_;
};

// Not made from the target's name, which may already be as long as the file system allows.
fs::path temporary_name(const fs::path& folder) {
  std::random_device random;
  return folder / fmt::format(".bristle-{:08x}{:08x}.tmp", random(), random());
}

// Terminals and pipes have no disk to flush to and say so, which is no failure.
bool sync_to_disk([[maybe_unused]] std::FILE* file) {
#if defined(__unix__) || defined(__APPLE__)
  return ::fsync(::fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
#else
  return true;
#endif
}

// `path` is the one the user knows, for errors.
void write_and_close(FileHandle file, std::string_view content, const fs::path& path) {
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  if (!written || std::fflush(file.get()) != 0 || !sync_to_disk(file.get())) fail_with_errno(path);
  if (std::fclose(file.release()) != 0) fail_with_errno(path);
}

void write_in_place(const fs::path& path, std::string_view content) {
  FileHandle file(std::fopen(path.string().c_str(), "wb"));
  if (file == nullptr) fail_with_errno(path);
  write_and_close(std::move(file), content, path);
}

void require_folder(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) {
    fail(path, fmt::format("the folder {} does not exist", quote(folder.string())));
  }
  if (error) fail(path, error.message());
  if (!fs::is_directory(status)) fail(path, quote(folder.string()) + " is not a folder");
}

// The mode "x" refuses a name that is taken, so that two writers never share a temporary.
void replace(const fs::path& target, const fs::path& path, const fs::file_status& old,
             std::string_view content) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  require_folder(folder, path);
  const fs::path name = temporary_name(folder);
  FileHandle file(std::fopen(name.string().c_str(), "wbx"));
  if (file == nullptr) fail_with_errno(path);
  Temporary temporary(name);
  write_and_close(std::move(file), content, path);
  std::error_code error;
  if (fs::exists(old)) fs::permissions(name, old.permissions(), error);  // best effort
  fs::rename(name, target, error);
  if (error) fail(path, error.message());
  temporary.keep();
}

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
  if (path.empty()) fail(path, "its name is empty");
  std::error_code error;
  const fs::file_status old = fs::status(path, error);
  if (fs::is_directory(old) || !path.has_filename()) fail(path, "it names a folder");
  if (fs::is_other(old)) return write_in_place(path, content);
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  replace(target.empty() ? path : target, path, old, content);
}

}  // namespace bristle
