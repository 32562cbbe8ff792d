#pragma once

/// Faults in what the user gave us: files, command lines, parameter values.
///
/// A `Fault` carries everything one needs to mend the input; `InputError` throws it:
///
///   throw InputError({.message = "unknown parameter of law 'lugre'",
///                     .file = "stick.toml",
///                     .line = 12,
///                     .key = "mu_S",
///                     .value = "0.3",
///                     .nearest = "mu_s"});
///
/// what() is then the single line
///
///   stick.toml:12: key 'mu_S' = '0.3': unknown parameter of law 'lugre'; did you mean 'mu_s'?

#include <memory>
#include <stdexcept>
#include <string>

namespace bristle {

/// Every member has an initialiser, so that designated initialisers may name only some of them
/// without a warning.
struct Fault {
  std::string message{};   ///< what is wrong
  std::string file{};      ///< empty: not from a file (command line)
  int line = 0;            ///< 0: unknown
  std::string key{};       ///< the offending key, as written
  std::string value{};     ///< the offending value, as written
  std::string expected{};  ///< "a number in [0, inf)"; read after the word "expected"
  std::string nearest{};   ///< the nearest valid name, if any
};

/// One line; parts that are empty are left out, control characters are escaped, and a very long key
/// or value is shortened.
std::string to_string(const Fault& fault);

class InputError final : public std::runtime_error {
 public:
  explicit InputError(Fault fault);
  const Fault& fault() const noexcept { return *fault_; }

 private:
  /// Shared, because copying an exception must not throw and copying strings may.
  std::shared_ptr<const Fault> fault_;
};

}  // namespace bristle
