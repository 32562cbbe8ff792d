#pragma once

// A folder of results that is from one run or is not there.
//
//   ResultFolder results("results/ms", {.files = {"summary.json", "measured.csv"}});
//   ...                                                       // the work
//   write_file(results.draft() / "summary.json", text);
//   results.publish();
//
// New results are drafted beside the old ones and take their place in one step, so that a program
// that is killed, or finds the disk full, leaves the old results or the new ones. Whatever else the
// user keeps in the folder stays.

#include <filesystem>
#include <string>
#include <vector>

#include "result_swap.hpp"
#include "work_place.hpp"

namespace bristle::cli {

/// Folders that are made when they are wanted, and go again if nothing came to be in them.
class MadeFolders {
 public:
  MadeFolders() = default;
  ~MadeFolders();
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  /// With those above it that are missing. Gives errno, or 0.
  int make(const std::filesystem::path& folder);

 private:
  std::vector<std::filesystem::path> made_;
};

class ResultFolder {
 public:
  /// To be called before the work: InputError if results cannot be written there,
  /// std::runtime_error if another program is at it.
  ResultFolder(const std::string& folder, ResultNames names);

  /// Where the new results are written.
  const std::filesystem::path& draft() const noexcept { return draft_; }
  /// Where the old ones are, if there are any.
  const std::filesystem::path& old() const noexcept { return target_; }
  /// Adds to the names.
  void replace(const std::string& file) { names_.files.push_back(file); }
  /// One of the folders of work in progress, which is made if it is not there.
  std::filesystem::path kept(const std::string& name);
  /// Puts the draft in the place of the old results. Once only.
  void publish();

 private:
  // In the order in which they need each other.
  ResultNames names_;
  MadeFolders made_;
  std::filesystem::path target_;
  WorkPlace work_;
  std::filesystem::path draft_;
};

}  // namespace bristle::cli
