#include "bristle/io/atomic_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/core/error.hpp"
#include "bristle/core/hash.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw InputError({.message = "cannot write the file: " + reason, .file = path.string()});
}

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  const std::string reason = std::generic_category().message(error);
  if (!is_of_machine(error)) fail(path, reason);
  throw WriteError(
      to_string({.message = "cannot write the file: " + reason, .file = path.string()}));
}

/// Closes what the descriptor is of.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int operator*() const noexcept { return number_; }

 private:
  int number_;
};

/// Terminals and pipes have no disk to flush to and say so, which is no failure.
bool sync_to_disk(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/// `path` is the one the user knows, for errors.
void write_all(int file, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (!sync_to_disk(file)) fail_to_write(path, errno);
}

/// An empty file that is gone at the end unless it has taken the place of another. Locked while it
/// is there, so that nobody takes it for a left-over.
class Temporary {
 public:
  Temporary(const fs::path& folder, const fs::path& path) : file_(create(folder, path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    std::error_code ignored;
    if (!name_.empty()) fs::remove(name_, ignored);
  }
  int operator*() const noexcept { return *file_; }

  void take_place_of(const fs::path& target, const fs::path& path) {
    if (::rename(name_.c_str(), target.c_str()) != 0) fail_to_write(path, errno);
    name_.clear();
  }

 private:
  // O_EXCL refuses a name that is taken, so that two writers never share a temporary.
  Descriptor create(const fs::path& folder, const fs::path& path) {
    std::random_device random;
    for (;;) {
      name_ = temporary_name(folder, fmt::format("{:08x}{:08x}", random(), random()));
      Descriptor file(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (*file < 0) {
        const int error = errno;
        name_.clear();
        fail_to_write(path, error);
      }
      ::flock(*file, LOCK_EX | LOCK_NB);  // a file system without locks has no left-overs cleared
      struct stat seen {};
      if (::fstat(*file, &seen) == 0 && seen.st_nlink > 0) return file;
      // Cleared away before it was locked: another one.
    }
  }

  fs::path name_;
  Descriptor file_;
};

/// Where a path leads.
struct Place {
  fs::path target, folder;
  fs::file_status old;
};

void require_folder(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) {
    fail(path, fmt::format("the folder {} does not exist", quote(folder.string())));
  }
  if (error) fail(path, error.message());
  if (!fs::is_directory(status)) fail(path, quote(folder.string()) + " is not a folder");
}

Place place_of(const fs::path& path) {
  if (path.empty()) fail(path, "its name is empty");
  std::error_code error;
  Place place{.target = path, .folder = {}, .old = fs::status(path, error)};
  if (fs::is_directory(place.old) || !path.has_filename()) fail(path, "it names a folder");
  if (place.old.type() == fs::file_type::none && error) fail(path, error.message());
  if (fs::is_other(place.old)) return place;
  if (fs::is_symlink(path, error)) {
    const fs::path real = fs::weakly_canonical(path, error);
    if (!real.empty()) place.target = real;
  }
  place.folder = place.target.has_parent_path() ? place.target.parent_path() : fs::path(".");
  require_folder(place.folder, path);
  return place;
}

void write_in_place(const fs::path& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (*file < 0) fail_to_write(path, errno);
  write_all(*file, content, path);
}

constexpr std::string_view name_begin = ".bristle-", name_end = ".tmp";

bool is_temporary(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code error;
  return name.starts_with(name_begin) && name.ends_with(name_end) &&
         name.size() == name_begin.size() + 16 + name_end.size() &&
         fs::is_regular_file(entry.symlink_status(error));
}

/// What nobody has locked was left by a program that is no more.
void remove_if_left(const fs::path& name) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (*file >= 0 && ::flock(*file, LOCK_EX | LOCK_NB) == 0) ::unlink(name.c_str());
}

}  // namespace

// Not made from the target's name, which may already be as long as the file system allows.
fs::path temporary_name(const fs::path& folder, std::string_view key) {
  Fnv1a hash;
  hash.add(key);
  return folder / fmt::format("{}{:016x}{}", name_begin, hash.value(), name_end);
}

bool is_of_machine(int error) noexcept {
  const int machine[] = {ENOSPC, EDQUOT, EFBIG, EIO, ENOMEM, EMFILE, ENFILE};
  return std::find(std::begin(machine), std::end(machine), error) != std::end(machine);
}

void clear_left_overs(const fs::path& folder) noexcept {
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (is_temporary(entry)) remove_if_left(entry.path());
    }
  } catch (const std::exception&) {
    // A folder that cannot be read holds no work up.
  }
}

void check_writable(const fs::path& path) {
  const Place place = place_of(path);
  if (place.folder.empty()) {
    if (::access(path.c_str(), W_OK) != 0) fail_to_write(path, errno);
    return;
  }
  clear_left_overs(place.folder);
  const Temporary probe(place.folder, path);
}

void write_file(const fs::path& path, std::string_view content) {
  const Place place = place_of(path);
  if (place.folder.empty()) return write_in_place(path, content);
  Temporary temporary(place.folder, path);
  write_all(*temporary, content, path);
  if (fs::exists(place.old)) {  // best effort
    ::fchmod(*temporary, static_cast<mode_t>(place.old.permissions() & fs::perms::mask));
  }
  temporary.take_place_of(place.target, path);
}

}  // namespace bristle
