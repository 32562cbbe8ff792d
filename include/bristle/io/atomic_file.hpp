#pragma once

/// Files that are either written whole or not touched at all.
///
///   write_file("results/summary.json", text);
///
/// The text goes to a temporary file in the same folder, is flushed to the disk, and takes the
/// place of the old file in one step: whoever reads the path sees the old content or the new, never
/// half.

#include <filesystem>
#include <string_view>

namespace bristle {

/// Throws InputError naming the path and the system's reason; an old file is then as it was, and no
/// temporary is left behind. The folder must exist. An old file's permissions are kept, a symbolic
/// link stays a link, and what cannot be replaced (a device, a pipe) is written in place.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace bristle
