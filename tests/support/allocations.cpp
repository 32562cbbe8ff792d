#include "allocations.hpp"

// That of the command, which takes the place of malloc and its kin.
#include <allocations.hpp>

long bristle::testing::allocations() noexcept {
  return counts_allocations() ? thread_allocations() : -1;
}
