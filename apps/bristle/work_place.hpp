#pragma once

// The one writer of a folder of results.

#include <filesystem>

namespace bristle::cli {

/// "cannot write results here", of a folder given by --out: WriteError if errno is the machine's
/// matter, InputError otherwise.
[[noreturn]] void refuse_folder(const std::filesystem::path& target, int error);

/// A folder for what is not yet a result, beside the results or, where nothing can be written
/// there, within them. Its name follows from theirs, so that it is found again after a kill; it is
/// locked while it is used, and gone afterwards.
class WorkPlace {
 public:
  /// InputError if results cannot be written into `target`; std::runtime_error if another program
  /// is at it. Ends what one that was killed has left undone.
  explicit WorkPlace(const std::filesystem::path& target);
  ~WorkPlace();
  WorkPlace(const WorkPlace&) = delete;
  WorkPlace& operator=(const WorkPlace&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Then the results cannot be swapped as a whole.
  bool is_within() const noexcept { return within_; }

 private:
  int take(const std::filesystem::path& path, const std::filesystem::path& target);
  int try_out(const std::filesystem::path& target) const;
  void leave() noexcept;

  std::filesystem::path path_;
  int lock_ = -1;
  bool within_ = false;
};

}  // namespace bristle::cli
