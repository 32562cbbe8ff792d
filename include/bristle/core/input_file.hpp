#pragma once

/// Files that the user gives us: regular ones of a stated size, or standard input.
///
///   const std::string text = read_input("slip.csv", limits::table_bytes);   // "-": standard input
///
/// A pipe could wait for ever and a device never end, so neither is read by its name.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace bristle {

/// What an input may hold at most; docs/limits.md lists them all. Each is far above what the work
/// needs, and low enough to be refused before the memory is full.
namespace limits {
inline constexpr std::uintmax_t document_bytes = std::uintmax_t{16} << 20;   ///< YAML
inline constexpr std::uintmax_t table_bytes = std::uintmax_t{1} << 30;       ///< CSV
inline constexpr std::uintmax_t array_file_bytes = std::uintmax_t{4} << 30;  ///< HDF5, MATLAB
inline constexpr std::uintmax_t mesh_bytes = std::uintmax_t{512} << 20;      ///< OBJ, STL
inline constexpr std::size_t columns = 100'000;                              ///< of a table
inline constexpr std::size_t values = 100'000'000;        ///< read from a table or array
inline constexpr std::size_t triangles = 2'000'000;       ///< of a mesh
inline constexpr std::size_t expression_length = 10'000;  ///< characters
inline constexpr int expression_depth = 200;
inline constexpr std::size_t expression_values = 10'000'000;  ///< in a list
}  // namespace limits

/// The bytes of a file, or of standard input where `path` is "-". InputError where it is no regular
/// file, cannot be read, or has more than `most` bytes.
std::string read_input(const std::filesystem::path& path, std::uintmax_t most);

/// How an input is called in messages.
std::string input_name(const std::filesystem::path& path);

/// The same checks for a file that a library opens by its name.
void require_input(const std::filesystem::path& path, std::uintmax_t most);

/// "64 kB", "1 GB"; 1024 bytes are a kB.
std::string byte_text(std::uintmax_t bytes);

}  // namespace bristle
