// Replaces operator new by one that counts. In a file of its own: inlined into a test, GCC would
// see free() meet a `new` and warn.

#include "allocations.hpp"

#ifdef __SANITIZE_ADDRESS__

long bristle::testing::allocations() noexcept { return -1; }

#else

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> count{0};
}

long bristle::testing::allocations() noexcept { return count; }

void* operator new(std::size_t size) {
  ++count;
  if (void* place = std::malloc(size)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }

#endif
