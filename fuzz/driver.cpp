// libFuzzer's entry for one target: FUZZ_TARGET names it.

#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  bristle::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
