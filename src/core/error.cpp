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

// Input may hold anything; an error must stay one line and must not steer a terminal.
std::string escaped(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string to_string(const Fault& fault) {
  std::string text = place(fault) + subject(fault) + fault.message;
  if (!fault.expected.empty()) text += "; expected " + fault.expected;
  if (!fault.nearest.empty()) text += fmt::format("; did you mean {}?", quote(fault.nearest));
  return escaped(text);
}

InputError::InputError(Fault fault)
    : std::runtime_error(to_string(fault)),
      fault_(std::make_shared<const Fault>(std::move(fault))) {}

}  // namespace bristle
