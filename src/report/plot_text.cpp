#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "plot_detail.hpp"

namespace bristle::plot_detail {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

struct Character {
  std::uint32_t code = replacement;
  std::size_t size = 1;  ///< bytes it took
};

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

bool well_formed(std::uint32_t code, std::size_t size) {
  if (size == 3 && code < 0x800) return false;  // longer than it need be
  if (size == 4 && (code < 0x10000 || code > 0x10FFFF)) return false;
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return !surrogate && code != 0xFFFE && code != 0xFFFF;
}

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = sequence_length(byte(0));
  if (size == 0 || size > text.size()) return {};
  if (size == 1) return {byte(0), 1};
  std::uint32_t code = byte(0) & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  return well_formed(code, size) ? Character{code, size} : Character{};
}

template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const Character character = decode(text);
    visit(character.code, text.substr(0, character.size));
    text.remove_prefix(character.size);
  }
}

constexpr std::string_view replacement_text = "\uFFFD";

void append_xml(std::string& out, std::uint32_t code, std::string_view bytes) {
  switch (code) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    case '\t':
    case '\n':
    case '\r':
      out += bytes;
      return;
    default:
      break;
  }
  const bool forbidden = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == replacement;
  out += forbidden ? replacement_text : bytes;
}

void append_json(std::string& out, std::uint32_t code, std::string_view bytes) {
  // '<' and '&' are escaped so that no label can end the script element that holds the data.
  const bool plain = code >= 0x20 && code != '"' && code != '\\' && code != '<' && code != '>' &&
                     code != '&' && code != 0x7F;
  if (code == replacement) {
    out += replacement_text;
  } else if (plain) {
    out += bytes;
  } else {
    out += fmt::format("\\u{:04x}", code);
  }
}

/// Fraction of the font size, after DejaVu Sans, the widest of the usual fonts.
double advance(std::uint32_t code) {
  constexpr std::string_view narrow = "ijl.,:;'|!()[]/ ";
  constexpr std::string_view wide = "mwMW@%";
  if (code >= 0x300 && code < 0x370) return 0.0;  // combining accents
  if (code >= 0x2E80) return 1.0;                 // East Asian
  if (code >= 0x80) return 0.62;
  const char c = static_cast<char>(code);
  if (narrow.find(c) != std::string_view::npos) return 0.36;
  if (wide.find(c) != std::string_view::npos) return 0.95;
  if (c >= 'A' && c <= 'Z') return 0.68;
  return c == 'f' || c == 't' || c == 'r' ? 0.4 : 0.62;
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

void wrap_paragraph(std::string_view text, double font_size, double width,
                    std::vector<std::string>& lines) {
  std::string line;
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    const std::string longer = line.empty() ? std::string(word) : line + ' ' + std::string(word);
    if (!line.empty() && text_width(longer, font_size) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push_back(line);
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for_each_character(
      text, [&](std::uint32_t code, std::string_view bytes) { append_xml(out, code, bytes); });
  return out;
}

std::string quote_json(std::string_view text) {
  std::string out = "\"";
  for_each_character(
      text, [&](std::uint32_t code, std::string_view bytes) { append_json(out, code, bytes); });
  return out + '"';
}

std::string superscript(int number) {
  constexpr std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char c : fmt::format("{}", number)) {
    out += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return out;
}

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  if (text.front() != '-') return text;
  return (zero ? "" : "−") + text.substr(1);
}

double text_width(std::string_view text, double font_size) {
  double width = 0.0;
  for_each_character(text, [&](std::uint32_t code, std::string_view) { width += advance(code); });
  return width * font_size;
}

std::vector<std::string> wrap(std::string_view text, double font_size, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    wrap_paragraph(text.substr(0, end), font_size, width, lines);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string shorten(std::string_view text, double font_size, double width) {
  if (text_width(text, font_size) <= width) return std::string(text);
  std::string out;
  double used = text_width("…", font_size);
  bool room = true;
  for_each_character(text, [&](std::uint32_t code, std::string_view bytes) {
    used += advance(code) * font_size;
    room = room && used <= width;
    if (room) out += bytes;
  });
  return out + "…";
}

}  // namespace bristle::plot_detail
