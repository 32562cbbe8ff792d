#pragma once

// Computations whose results are kept in files, so that an interrupted command goes on where it
// stopped and a repeated one has nothing to do.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bristle/papers/study.hpp"

namespace bristle::cli {

struct KeptJob {
  std::string name;  ///< for the progress line
  std::string key;   ///< of the file: a stem, and 32 digits that name what the result depends on
  std::function<bool(const std::string&)> take;         ///< false: not a result, compute it
  std::function<std::optional<std::string>()> compute;  ///< nothing: not to be kept
};

/// Names this very program: a rebuilt one computes everything anew.
std::string program_name();
std::string read_text(const std::filesystem::path& path);

/// Does all of them, `threads` at a time; each result is written as soon as it is there. Files of
/// earlier keys with the same stems are removed. Gives how many were computed.
int run_kept(const std::vector<KeptJob>& jobs, const std::filesystem::path& cache, int threads);

/// Fills `results`, which must outlive the jobs, with rows of the studies.
std::vector<KeptJob> study_jobs(std::vector<papers::StudyResult>& results);
std::vector<papers::StudyResult> empty_results(const std::vector<papers::Study>& studies);
/// study.html and study.json.
void write_studies(const std::filesystem::path& folder,
                   const std::vector<papers::StudyResult>& results, bool beside_papers);

}  // namespace bristle::cli
