#pragma once

// How new results take the place of old ones.

#include <filesystem>
#include <string>
#include <vector>

namespace bristle::cli {

/// What a command may have written into its folder of results before.
struct ResultNames {
  std::vector<std::string> files;      ///< replaced or removed; `lugre/report.html` in a folder
  std::vector<std::string> kept = {};  ///< folders of work in progress, which stay
};

/// `work/draft` becomes `target`, whose files that are not named here stay.
///
/// As a whole where that can be: the two folders change places, in one step. Otherwise file by file
/// (the file system cannot exchange folders; the target is the current folder or a mount point, or
/// holds folders of the user): all old ones are moved out before the first new one is moved in, so
/// that there is never a file of both. finish_swap ends what a kill has ended within these
/// milliseconds. Gives 0, or the errno of what failed; the old results are then back.
int swap_results(const std::filesystem::path& work, const std::filesystem::path& target,
                 const ResultNames& names, bool as_a_whole);

/// Of a swap that was cut off: back, or to its end where new files have been moved in. Gives 0, or
/// the errno of what failed; what is not where it belongs is then still in `work`.
int finish_swap(const std::filesystem::path& work, const std::filesystem::path& target);

/// What is no result any more, or never was one, goes; results that a swap could put in no place
/// stay for finish_swap.
void clear_work(const std::filesystem::path& work) noexcept;

}  // namespace bristle::cli
