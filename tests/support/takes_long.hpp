#pragma once

#include <cstdlib>

namespace bristle::testing_support {

/// Whether the tests that take minutes are asked for. An empty variable asks for nothing.
inline bool takes_long() {
  const char* text = std::getenv("BRISTLE_TEST_LONG");
  return text != nullptr && *text != '\0';
}

}  // namespace bristle::testing_support
