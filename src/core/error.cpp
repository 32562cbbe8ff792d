#include "bristle/core/error.hpp"

#include <utility>

#include <fmt/format.h>

#include "bristle/core/names.hpp"

namespace bristle {
namespace {

std::string place(const Fault& fault) {
  if (fault.file.empty()) return fault.line > 0 ? fmt::format("line {}: ", fault.line) : "";
  if (fault.line > 0) return fmt::format("{}:{}: ", fault.file, fault.line);
  return fmt::format("{}: ", fault.file);
}

std::string subject(const Fault& fault) {
  if (fault.key.empty() && fault.value.empty()) return {};
  if (fault.key.empty()) return fmt::format("value {}: ", quote(fault.value));
  if (fault.value.empty()) return fmt::format("key {}: ", quote(fault.key));
  return fmt::format("key {} = {}: ", quote(fault.key), quote(fault.value));
}

/// Names from a file may be as long as they like, and as many.
std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 5000;
  return fmt::format("{:.{}}{}", text, longest, text.size() > longest ? "..." : "");
}

}  // namespace

std::string to_string(const Fault& fault) {
  std::string text = place(fault) + subject(fault) + shortened(fault.message);
  if (!fault.expected.empty()) text += "; expected " + shortened(fault.expected);
  if (!fault.nearest.empty()) text += fmt::format("; did you mean {}?", quote(fault.nearest));
  // Input may hold anything; an error must stay one line and must not steer a terminal.
  return printable(text);
}

InputError::InputError(Fault fault)
    : std::runtime_error(to_string(fault)),
      fault_(std::make_shared<const Fault>(std::move(fault))) {}

}  // namespace bristle
