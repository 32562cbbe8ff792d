#pragma once

/// Names as users type them: finding what was meant, and showing them in messages.
///
///   const std::vector<std::string> known{"mu_s", "mu_k", "sigma_0"};
///   nearest_name("mu-S", known);    // "mu_s"
///   nearest_name("simga_0", known); // "sigma_0"
///   nearest_name("radius", known);  // "": nothing is close, so suggest nothing
///   one_of(known);                  // "one of 'mu_s', 'mu_k', 'sigma_0'"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bristle {

/// The candidate with the smallest optimal-string-alignment distance (insertion, deletion,
/// substitution, swap of neighbours), case ignored and '-' equal to '_'; among equals the one
/// nearest as spelt, then the first. Empty when nothing is within max(2, length of wanted / 3)
/// edits, or when the best shares no letter with `wanted` (else 'F' would be offered for any
/// one-letter name).
std::string nearest_name(std::string_view wanted, std::span<const std::string> candidates);

/// 'text', shortened when it is too long to be read in a message.
std::string quote(std::string_view text);

/// "one of 'a', 'b'", made for Fault::expected.
std::string one_of(std::span<const std::string> names);

/// Bytes of the first character of a text that is not empty; 0 where it is not UTF-8.
std::size_t utf8_length(std::string_view text) noexcept;

/// The first character steers a terminal: C0, DEL or C1. Tab, newline and carriage return count.
bool is_control(std::string_view text) noexcept;

/// `text` as a terminal may show it: control characters other than those of `kept`, and bytes that
/// are not UTF-8, are written out, as \x1b or \u009b. JSON keeps its meaning.
std::string printable(std::string_view text, std::string_view kept = {});

/// `text` without blanks (space, tab, carriage return) at either end.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace bristle
