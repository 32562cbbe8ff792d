#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "docgen.hpp"

namespace bristle::docgen {
namespace {

bool is_ascii_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Length in bytes of the UTF-8 character that begins at `at`.
std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && continues(text[end])) ++end;
  return end - at;
}

/// By the first byte.
bool is_greek(char c) { return c == '\xCE' || c == '\xCF'; }

/// Letters, digits, Greek letters and ∞ make up a subscript.
bool in_subscript(std::string_view character) {
  if (character.size() == 1) return std::isalnum(static_cast<unsigned char>(character[0])) != 0;
  return is_greek(character[0]) || character == "∞";
}

/// Where the subscript that begins at `at` ends; digits only if it has no underscore.
std::size_t subscript_end(std::string_view text, std::size_t at) {
  const bool underscore = text[at - 1] == '_';
  while (at < text.size()) {
    const std::size_t n = length_at(text, at);
    if (underscore ? !in_subscript(text.substr(at, n)) : !is_digit(text[at])) break;
    at += n;
  }
  return at;
}

/// A symbol is a single letter, Latin or Greek, before the underscore: μ_s is one, mu_s is a key.
bool is_symbol(std::string_view text, std::size_t at, std::size_t n) {
  if (n == 1 && !is_ascii_letter(text[at])) return false;
  return at == 0 || (!is_ascii_letter(text[at - 1]) && text[at - 1] != '_');
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Where the subscript of the character at `at` begins: after an underscore, or at once where
/// digits follow a Greek letter, as in σ0. 0 if it has none.
std::size_t subscript_begin(std::string_view text, std::size_t at, std::size_t n) {
  const std::size_t next = at + n;
  if (next >= text.size() || !is_symbol(text, at, n)) return 0;
  if (text[next] == '_') return next + 1;
  return is_greek(text[at]) && is_digit(text[next]) ? next : 0;
}

/// GitHub shows no formula with \operatorname; this says the same.
std::string with_plain_operators(std::string latex) {
  constexpr std::string_view from = "\\operatorname{", to = "\\mathop{\\mathrm{";
  for (std::size_t at = latex.find(from); at != std::string::npos; at = latex.find(from, at)) {
    latex.insert(latex.find('}', at), "}");
    latex.replace(at, from.size(), to);
  }
  return latex;
}

/// A LaTeX command with its backslash, or a single byte.
std::string_view token_at(std::string_view latex, std::size_t at) {
  std::size_t end = at + 1;
  if (latex[at] == '\\') {
    while (end < latex.size() && is_ascii_letter(latex[end])) ++end;
    if (end == at + 1 && end < latex.size()) ++end;
  }
  return latex.substr(at, end - at);
}

/// Without spaces at the ends and without the comma that led to the next equation.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" ,") - first + 1);
}

}  // namespace

std::string prose(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t n = length_at(text, at);
    const std::size_t below = subscript_begin(text, at, n);
    if (below > 0 && subscript_end(text, below) > below) {
      const std::size_t end = subscript_end(text, below);
      out += text.substr(at, n);
      out += fmt::format("<sub>{}</sub>", text.substr(below, end - below));
      at = end;
      continue;
    }
    if (n == 1 && std::string_view("<*\\`").find(text[at]) != std::string_view::npos) out += '\\';
    out += text.substr(at, n);
    at += n;
  }
  return out;
}

std::string cell(std::string_view text) { return replaced(prose(text), "|", "\\|"); }

std::string sentence(std::string_view text) {
  std::string out = prose(text);
  if (out.empty()) return out;
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  if (out.back() != '.') out += '.';
  return out;
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

std::string displays(std::string_view latex) {
  std::string out;
  const auto add = [&](std::string_view equation) {
    const std::string_view text = trimmed(equation);
    if (text.empty()) return;
    out += fmt::format("$$\n{}\n$$\n\n", with_plain_operators(std::string(text)));
  };
  int depth = 0;  // of braces, \left … \right and environments
  std::size_t begin = 0;
  for (std::size_t at = 0; at < latex.size();) {
    const std::string_view token = token_at(latex, at);
    if (token == "{" || token == "\\left" || token == "\\begin") ++depth;
    if (token == "}" || token == "\\right" || token == "\\end") --depth;
    if (depth == 0 && (token == "\\quad" || token == "\\qquad")) {
      add(latex.substr(begin, at - begin));
      begin = at + token.size();
    }
    at += token.size();
  }
  add(latex.substr(begin));
  return out;
}

std::string table_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string table_head(const std::vector<std::string>& headings) {
  std::string line = "|";
  for (std::size_t i = 0; i < headings.size(); ++i) line += "---|";
  return table_row(headings) + line + "\n";
}

std::string transcript(const Example& example) {
  return fmt::format("```console\n$ {}\n{}```\n\n", example.command, example.output);
}

}  // namespace bristle::docgen
