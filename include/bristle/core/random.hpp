#pragma once

/// A counter-based generator: the n-th draw of bond b under a seed is a pure function of the three
/// numbers, so a step of a random law is a pure function of its state, restores exactly, and does
/// not depend on the order in which contacts or threads are visited.

#include <cstdint>

namespace bristle {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that mixes all bits.
constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Uniform in (0, 1), never 0 or 1.
constexpr double uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t draw) noexcept {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
  const std::uint64_t key = mix64(mix64(seed + golden) + (stream + 1) * golden);
  const std::uint64_t bits = mix64(key + (draw + 1) * golden);
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

}  // namespace bristle
