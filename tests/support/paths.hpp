#pragma once

#include <string>

/// Where things are on this machine. Compiled into one file only, so that all other tests are the
/// same objects in every clone and come from the compiler cache.
namespace bristle::testing_support {

std::string source_dir();        ///< the root of the repository
std::string reference_dir();     ///< the reference numbers, which every clone has
std::string measured_dir();      ///< measurements by others; may be absent
std::string cli();               ///< the built command; empty if it is not built
std::string fail_writes();       ///< tests/preload, likewise
std::string docgen();            ///< the generator of the law pages, likewise
std::string example_realtime();  ///< the example of a loop, likewise
std::string example_control();   ///< the example of a controller, likewise

}  // namespace bristle::testing_support
