#include "harness.hpp"

namespace bristle::testing {

int random_cases() {
  const char* text = std::getenv("BRISTLE_TEST_CASES");
  const int cases = text != nullptr ? std::atoi(text) : 0;
  return cases > 0 ? cases : 1000;
}

}  // namespace bristle::testing
