#pragma once

// Counts what a thread allocates, by whatever way: new, malloc (which Eigen calls) and their kin.
// Linked into a program it takes the place of the C library's functions.

namespace bristle {

/// Calls of malloc and its kin by this thread so far.
long thread_allocations() noexcept;
/// False under sanitizers, which bring their own malloc, and without glibc.
bool counts_allocations() noexcept;

}  // namespace bristle
