#include "failing_allocation.hpp"

#include <cerrno>
#include <cstddef>

// The counter of the command, which takes the place of malloc and its kin.
#include <allocations.hpp>

namespace {
thread_local long left __attribute__((tls_model("initial-exec"))) = 0;

/// Whether it is the turn of this allocation.
[[maybe_unused]] bool fails() noexcept {
  if (left == 0 || --left > 0) return false;
  errno = ENOMEM;
  return true;
}
}  // namespace

namespace bristle::testing {

FailingAllocation::FailingAllocation(long n) noexcept { left = n; }
FailingAllocation::~FailingAllocation() { left = 0; }
bool FailingAllocation::has_failed() const noexcept { return left == 0; }
bool allocations_can_fail() noexcept { return counts_allocations(); }

}  // namespace bristle::testing

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The linker leads what allocations.cpp asks of the C library here (--wrap, cmake/tests.cmake).
extern "C" {
void* __real___libc_malloc(std::size_t size);
void* __real___libc_calloc(std::size_t number, std::size_t size);
void* __real___libc_realloc(void* place, std::size_t size);
void* __real___libc_memalign(std::size_t alignment, std::size_t size);

void* __wrap___libc_malloc(std::size_t size) {
  return fails() ? nullptr : __real___libc_malloc(size);
}
void* __wrap___libc_calloc(std::size_t number, std::size_t size) {
  return fails() ? nullptr : __real___libc_calloc(number, size);
}
void* __wrap___libc_realloc(void* place, std::size_t size) {
  return fails() ? nullptr : __real___libc_realloc(place, size);
}
void* __wrap___libc_memalign(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __real___libc_memalign(alignment, size);
}
}
#endif
