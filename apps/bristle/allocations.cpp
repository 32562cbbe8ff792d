#include "allocations.hpp"

#include <cstddef>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <cerrno>

namespace {
// Of the program itself: its place is known when it is loaded, so that a first use allocates
// nothing.
thread_local long count __attribute__((tls_model("initial-exec"))) = 0;
}  // namespace

long bristle::thread_allocations() noexcept { return count; }
bool bristle::counts_allocations() noexcept { return true; }

// A symbol of the program comes before that of the C library, for its shared libraries too. What is
// allocated stays the C library's, so free() need not be replaced.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* place, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* place, std::size_t size) {
  ++count;
  return __libc_realloc(place, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *place = made;
  return 0;
}
}

#else

long bristle::thread_allocations() noexcept { return 0; }
bool bristle::counts_allocations() noexcept { return false; }

#endif
