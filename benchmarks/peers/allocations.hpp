#pragma once

// Counts allocations of the whole program, the libraries in it too (glibc).

namespace bristle::peers {

/// Calls of malloc and its kin so far.
long allocations() noexcept;

}  // namespace bristle::peers
