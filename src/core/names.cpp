#include "bristle/core/names.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace bristle {
namespace {

// ASCII only: the result must not depend on the locale.
std::string folded(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // row i - 2, needed for swaps
  std::vector<std::size_t> above(b.size() + 1);   // row i - 1
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swap) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::size_t length_gap(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

/// One character, or one byte where there is no valid character. It is written out as its code if
/// it could steer a terminal.
void append_printable(std::string& to, std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  const bool broken = utf8_length(character) == 0;
  if (!broken && !is_control(character)) {
    to += character;
  } else if (first == '\n' || first == '\r' || first == '\t') {
    to += first == '\n' ? "\\n" : first == '\r' ? "\\r" : "\\t";
  } else if (broken || first < 0x20) {
    to += fmt::format("\\x{:02x}", first);
  } else {
    to += fmt::format("\\u{:04x}", static_cast<unsigned char>(character.back()));
  }
}

}  // namespace

std::string nearest_name(std::string_view wanted, std::span<const std::string> candidates) {
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  const std::string wanted_folded = folded(wanted);
  const std::string* best = nullptr;
  std::pair<std::size_t, std::size_t> best_rank;
  for (const std::string& candidate : candidates) {
    if (length_gap(wanted, candidate) > limit)
      continue;  // spares the distance: it is at least this
    const std::size_t distance = edit_distance(wanted_folded, folded(candidate));
    if (distance > limit || distance >= std::max(wanted.size(), candidate.size())) continue;
    const std::pair rank{distance, edit_distance(wanted, candidate)};
    if (best != nullptr && rank >= best_rank) continue;
    best = &candidate;
    best_rank = rank;
  }
  return best == nullptr ? std::string() : *best;
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  std::size_t end = longest;
  while (end > 0 && is_continuation_byte(text[end])) --end;  // never cut a UTF-8 character in two
  return "'" + std::string(text.substr(0, end)) + "...'";
}

std::string one_of(std::span<const std::string> names) {
  constexpr std::size_t most = 100;
  std::string text = "one of ";
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + quote(names[i]);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = static_cast<unsigned char>(text.front());
  const std::size_t length = byte < 0x80   ? 1
                             : byte < 0xC2 ? 0
                             : byte < 0xE0 ? 2
                             : byte < 0xF0 ? 3
                             : byte < 0xF5 ? 4
                                           : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation_byte(text[i])) return 0;
  }
  return length;
}

bool is_control(std::string_view text) noexcept {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x20 || byte == 0x7f) return true;
  return byte == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0;
}

std::string printable(std::string_view text, std::string_view kept) {
  const auto plain = [&](char c) {
    return (c >= 0x20 && c < 0x7f) || kept.find(c) != std::string_view::npos;
  };
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), plain);
    result.append(text.begin(), end);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    if (text.empty()) break;
    const std::string_view character = text.substr(0, std::max<std::size_t>(utf8_length(text), 1));
    append_printable(result, character);
    text.remove_prefix(character.size());
  }
  return result;
}

std::string_view trimmed(std::string_view text) noexcept {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace bristle
