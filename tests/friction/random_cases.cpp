#include "random_cases.hpp"

#include <cstdlib>
#include <string>

namespace bristle::testing {

int random_cases() {
  const char* text = std::getenv("BRISTLE_TEST_CASES");
  const int cases = text != nullptr ? std::atoi(text) : 0;
  return cases > 0 ? cases : 1000;
}

std::uint64_t random_seed() {
  const char* text = std::getenv("BRISTLE_TEST_SEED");
  if (text == nullptr) return 1;
  if (std::string(text) == "random") return rc::detail::configuration().testParams.seed;
  return std::strtoull(text, nullptr, 10);
}

}  // namespace bristle::testing
