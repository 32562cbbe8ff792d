#pragma once

namespace bristle::testing {

/// What this thread has allocated so far, by new, malloc (which Eigen calls) and their kin; −1
/// where it is not counted: the sanitizers bring their own malloc, which a program cannot replace.
long allocations() noexcept;

}  // namespace bristle::testing
