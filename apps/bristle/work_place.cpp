#include "work_place.hpp"

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/core/error.hpp"
#include "bristle/io/atomic_file.hpp"
#include "result_swap.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;

/// Whether the path still leads to what was opened: its last user may have removed it since.
bool leads_to(const fs::path& path, int file) {
  struct stat named {
  }, opened{};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(file, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

/// Within the results.
fs::path place_within(const fs::path& target) { return temporary_name(target, ""); }

}  // namespace

void refuse_folder(const fs::path& target, int error) {
  const Fault fault{
      .message = "cannot write results here: " + std::generic_category().message(error),
      .key = "--out",
      .value = target.string()};
  if (is_of_machine(error)) throw WriteError(to_string(fault));
  throw InputError(fault);
}

WorkPlace::WorkPlace(const fs::path& target) {
  std::error_code ignored;
  const bool there = fs::is_directory(target, ignored);
  int error = take(temporary_name(target.parent_path(), target.filename().string()), target);
  if (error == 0 && there) error = try_out(target);
  if (error != 0 && there && !is_of_machine(error)) {
    leave();
    within_ = true;
    error = take(place_within(target), target);
  }
  if (error == 0) error = finish_swap(path_, target);
  if (error == 0) {
    for (const char* left : {"old", "away", "draft", "probe"})
      fs::remove_all(path_ / left, ignored);
    if (::mkdir((path_ / "draft").c_str(), 0777) != 0) error = errno;
  }
  if (error != 0) {
    leave();
    refuse_folder(target, error);
  }
}

WorkPlace::~WorkPlace() { leave(); }

/// Gives errno, or 0.
int WorkPlace::take(const fs::path& path, const fs::path& target) {
  for (;;) {
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) return errno;
    const int file = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) continue;
    if (file < 0) {
      const int error = errno;
      ::rmdir(path.c_str());
      return error;
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      throw std::runtime_error(fmt::format(
          "another bristle is at work on {}: wait until it has ended, or choose another --out",
          target.string()));
    }
    if (leads_to(path, file)) {
      path_ = path;
      lock_ = file;
      return 0;
    }
    ::close(file);
  }
}

/// Whether something can be moved from here into the results: they may be of another file system,
/// or only to be read.
int WorkPlace::try_out(const fs::path& target) const {
  const fs::path probe = path_ / "probe", there = place_within(target);
  if (::mkdir(probe.c_str(), 0777) != 0 && errno != EEXIST) return errno;
  const bool moved = ::rename(probe.c_str(), there.c_str()) == 0;
  const int error = moved || errno == ENOTEMPTY || errno == EEXIST ? 0 : errno;
  ::rmdir(moved ? there.c_str() : probe.c_str());
  return error;
}

void WorkPlace::leave() noexcept {
  if (lock_ < 0) return;
  clear_work(path_);
  ::close(lock_);
  lock_ = -1;
}

}  // namespace bristle::cli
