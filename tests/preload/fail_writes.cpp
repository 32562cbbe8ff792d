// Loaded before the C library (LD_PRELOAD): lets one call fail that writes something below a
// folder, as on a full disk.
//
//   FAIL_BELOW=/tmp/results    which files and folders
//   FAIL_AT=7                  the seventh call; those before and after it go through
//   FAIL_NOTE=/tmp/note        is made when it has failed
//
// Not asked of calls that remove: what they fail to remove stays, and nobody can help it.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool is_below(const char* path) {
  const char* folder = std::getenv("FAIL_BELOW");
  return folder != nullptr && path != nullptr &&
         std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool is_below(int file) {
  char name[64], path[4096];
  std::snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  const ::ssize_t n = ::readlink(name, path, sizeof path - 1);
  if (n < 0) return false;
  path[n] = '\0';
  return is_below(path);
}

bool is_turn() {
  static std::atomic<long> left{[] {
    const char* at = std::getenv("FAIL_AT");
    return at == nullptr ? -1 : std::atol(at);
  }()};
  return --left == 0;
}

/// Whether this call fails.
template <class Where>
bool fails(Where where) {
  if (!is_below(where) || !is_turn()) return false;
  if (const char* note = std::getenv("FAIL_NOTE")) {
    const auto file = static_cast<int>(::syscall(SYS_creat, note, 0600));
    if (file >= 0) ::syscall(SYS_close, file);
  }
  errno = ENOSPC;
  return true;
}

bool writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_DIRECTORY)) != 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const ::mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, ::mode_t) : 0;
  va_end(more);
  static auto* real = next<int(const char*, int, ...)>("open");
  return writes(flags) && fails(path) ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const ::mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, ::mode_t) : 0;
  va_end(more);
  static auto* real = next<int(const char*, int, ...)>("open64");
  return writes(flags) && fails(path) ? -1 : real(path, flags, mode);
}
::ssize_t write(int file, const void* data, std::size_t size) {
  static auto* real = next<::ssize_t(int, const void*, std::size_t)>("write");
  return fails(file) ? -1 : real(file, data, size);
}
int fsync(int file) {
  static auto* real = next<int(int)>("fsync");
  return fails(file) ? -1 : real(file);
}
/// As of a file system in a network: closed it is, but not everything has arrived.
int close(int file) {
  static auto* real = next<int(int)>("close");
  const bool failed = fails(file);
  const int result = real(file);
  if (!failed) return result;
  errno = ENOSPC;
  return -1;
}
int rename(const char* from, const char* to) {
  static auto* real = next<int(const char*, const char*)>("rename");
  return fails(to) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static auto* real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(to) ? -1 : real(from_folder, from, to_folder, to, flags);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  static auto* real = next<int(int, const char*, int, const char*, int)>("linkat");
  return fails(to) ? -1 : real(from_folder, from, to_folder, to, flags);
}
int mkdir(const char* path, ::mode_t mode) {
  static auto* real = next<int(const char*, ::mode_t)>("mkdir");
  return fails(path) ? -1 : real(path, mode);
}
}
