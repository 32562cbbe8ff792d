#include "result_folder.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "bristle/io/atomic_file.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;

/// Where a folder is in truth, whatever links lead to it.
fs::path place_of(const std::string& folder, MadeFolders& made) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (error) refuse_folder(folder, error.value());
  if (!place.has_filename()) place = place.parent_path();
  const fs::file_status status = fs::symlink_status(place, error);
  if (status.type() == fs::file_type::none && error) refuse_folder(folder, error.value());
  if (fs::exists(status) && !fs::is_directory(status)) refuse_folder(folder, ENOTDIR);
  const int fault = made.make(place.parent_path());
  if (fault != 0) refuse_folder(folder, fault);
  return place;
}

}  // namespace

int MadeFolders::make(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status)) return fs::is_directory(status) ? 0 : ENOTDIR;
  if (folder.has_relative_path()) {
    const int fault = make(folder.parent_path());
    if (fault != 0) return fault;
  }
  if (::mkdir(folder.c_str(), 0777) != 0) return errno;
  made_.push_back(folder);
  return 0;
}

MadeFolders::~MadeFolders() {
  while (!made_.empty()) {
    ::rmdir(made_.back().c_str());
    made_.pop_back();
  }
}

ResultFolder::ResultFolder(const std::string& folder, ResultNames names)
    : names_(std::move(names)),
      target_(place_of(folder, made_)),
      work_(target_),
      draft_(work_.path() / "draft") {
  clear_left_overs(target_);
  for (const std::string& kept : names_.kept) clear_left_overs(target_ / kept);
}

fs::path ResultFolder::kept(const std::string& name) {
  const fs::path folder = target_ / name;
  const int error = made_.make(folder);
  if (error != 0) refuse_folder(target_, error);
  return folder;
}

void ResultFolder::publish() {
  const int error = swap_results(work_.path(), target_, names_, !work_.is_within());
  if (error != 0) refuse_folder(target_, error);
}

}  // namespace bristle::cli
