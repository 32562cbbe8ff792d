#include "support/paths.hpp"

namespace bristle::testing_support {

std::string source_dir() { return BRISTLE_SOURCE_DIR; }
std::string reference_dir() { return BRISTLE_SOURCE_DIR "/tests/reference"; }
std::string measured_dir() { return BRISTLE_MEASURED_DIR; }
std::string cli() { return BRISTLE_CLI; }
std::string fail_writes() { return BRISTLE_FAIL_WRITES; }
std::string docgen() { return BRISTLE_DOCGEN; }
std::string example_realtime() { return BRISTLE_EXAMPLE_REALTIME; }
std::string example_control() { return BRISTLE_EXAMPLE_CONTROL; }

}  // namespace bristle::testing_support
