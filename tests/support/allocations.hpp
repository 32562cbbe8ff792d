#pragma once

namespace bristle::testing {

/// Allocations of the whole test program so far; −1 where they are not counted (under sanitizers,
/// which bring their own operator new).
long allocations() noexcept;

}  // namespace bristle::testing
