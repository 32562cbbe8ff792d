#include "allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {
std::atomic<long> count{0};
}

long bristle::peers::allocations() noexcept { return count; }

// A symbol of the program comes before that of the C library, for its shared libraries too. What is
// allocated stays the C library's, so free() need not be replaced.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
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
  *place = memalign(alignment, size);
  return *place == nullptr ? ENOMEM : 0;
}
}
