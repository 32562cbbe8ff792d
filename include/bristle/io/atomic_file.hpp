#pragma once

/// Files that are either written whole or not touched at all.
///
///   check_writable("results/summary.json");       // before hours of work
///   write_file("results/summary.json", text);
///
/// The text goes to a temporary file in the same folder, is flushed to the disk, and takes the
/// place of the old file in one step: whoever reads the path sees the old content or the new, never
/// half.

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace bristle {

/// The machine failed where the place is a good one: a full disk, a limit, a fault of a device.
/// Not a matter of the user's input.
class WriteError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError naming the path and the system's reason, or WriteError where the machine is to
/// blame; an old file is then as it was, and no temporary is left behind. The folder must exist. An
/// old file's permissions are kept, a symbolic link stays a link, and what cannot be replaced (a
/// device, a pipe) is written in place.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Throws what write_file would throw for this path, as far as that can be known before. Clears the
/// temporaries away that programs which were killed have left beside it.
void check_writable(const std::filesystem::path& path);

/// What killed programs have left of their temporaries in this folder; those of programs that are
/// at work are locked, and stay.
void clear_left_overs(const std::filesystem::path& folder) noexcept;

/// Whether this errno is a WriteError: not about what was asked, but about what it was asked of.
bool is_of_machine(int error) noexcept;

/// A name for a temporary beside results. Of `key` alone: it is found again after a kill.
std::filesystem::path temporary_name(const std::filesystem::path& folder, std::string_view key);

}  // namespace bristle
