#pragma once

namespace bristle::testing {

/// While it lives, one allocation of this thread fails: the n-th from now, counted from one,
/// whoever asks for it (new, malloc and its kin; libraries too).
class FailingAllocation {
 public:
  explicit FailingAllocation(long n) noexcept;
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  /// Whether there have been so many.
  bool has_failed() const noexcept;
};

/// False where the sanitizers bring their own malloc.
bool allocations_can_fail() noexcept;

}  // namespace bristle::testing
