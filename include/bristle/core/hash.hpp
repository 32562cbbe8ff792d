#pragma once

/// FNV-1a (Fowler, Noll, Vo): a fingerprint against chance, not against malice. The same bytes give
/// the same number on every machine of the same byte order.

#include <cstdint>
#include <span>
#include <string_view>

namespace bristle {

class Fnv1a {
 public:
  explicit constexpr Fnv1a(std::uint64_t start = 14695981039346656037ULL) : value_(start) {}

  void add(std::string_view text) noexcept {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  void add(std::span<const double> numbers) noexcept {
    add({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_;
};

}  // namespace bristle
