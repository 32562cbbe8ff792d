#include "result_swap.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

/// Best effort: results are whole without it unless the power fails.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

/// By their paths from the folder on. Gives errno, or 0: a list that is cut short would lose
/// results.
int list_files(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (!it->is_directory(error)) files.push_back(it->path().lexically_relative(folder));
  }
  return error.value();
}

// ---- as a whole ---------------------------------------------------------------------------------

/// Gives the new folder what the old one holds of the user's.
class Carrier {
 public:
  Carrier(const fs::path& from, const fs::path& to, const ResultNames& names)
      : from_(from), to_(to), names_(names) {}

  /// False where something cannot be in two folders at once.
  bool carry(const fs::path& folder = {}) const {
    std::error_code error;
    fs::directory_iterator it(from_ / folder, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
      const fs::path name = folder / it->path().filename();
      const bool done = it->symlink_status().type() == fs::file_type::directory ? carry_folder(name)
                                                                                : carry_file(name);
      if (!done) return false;
    }
    return !error;
  }

 private:
  bool carry_folder(const fs::path& name) const {
    if (!is_ours(name)) return false;
    std::error_code error;
    fs::create_directory(to_ / name, error);
    if (error || !carry(name)) return false;
    if (!is_kept(name)) ::rmdir((to_ / name).c_str());  // only if nothing is in it
    return true;
  }
  bool carry_file(const fs::path& name) const {
    if (std::find(names_.files.begin(), names_.files.end(), name) != names_.files.end())
      return true;
    if (is_there(to_ / name)) return !fs::is_directory(fs::symlink_status(to_ / name));
    const fs::file_type type = fs::symlink_status(from_ / name).type();
    if (type != fs::file_type::regular && type != fs::file_type::symlink) return false;
    return ::linkat(AT_FDCWD, (from_ / name).c_str(), AT_FDCWD, (to_ / name).c_str(), 0) == 0;
  }
  bool is_ours(const fs::path& folder) const {
    const auto holds = [&](const std::string& file) {
      return file.starts_with(folder.string() + "/");
    };
    return is_kept(folder) || fs::is_directory(fs::symlink_status(to_ / folder)) ||
           std::any_of(names_.files.begin(), names_.files.end(), holds);
  }
  bool is_kept(const fs::path& folder) const {
    return std::any_of(names_.kept.begin(), names_.kept.end(), [&](const std::string& kept) {
      return folder == kept || folder.string().starts_with(kept + "/");
    });
  }

  const fs::path &from_, &to_;
  const ResultNames& names_;
};

/// The new folder has the rights of the old one. False where it cannot have its owner.
bool resemble(const fs::path& draft, const fs::path& target) {
  struct stat old {};
  if (::stat(target.c_str(), &old) != 0 || old.st_uid != ::geteuid()) return false;
  return (old.st_gid == ::getegid() || ::chown(draft.c_str(), old.st_uid, old.st_gid) == 0) &&
         ::chmod(draft.c_str(), old.st_mode & 07777) == 0;
}

bool is_current(const fs::path& folder) {
  std::error_code error;
  return fs::equivalent(folder, fs::current_path(error), error);
}

bool exchange([[maybe_unused]] const fs::path& a, [[maybe_unused]] const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

bool swap_whole(const fs::path& draft, const fs::path& target, const ResultNames& names) {
  if (is_current(target) || !resemble(draft, target)) return false;
  if (!Carrier(target, draft, names).carry()) return false;
  sync_folder(draft);
  if (!exchange(draft, target)) return false;
  // What the user has put there since. The draft is now the old folder.
  Carrier(draft, target, names).carry();
  sync_folder(target.parent_path());
  return true;
}

// ---- file by file -------------------------------------------------------------------------------

/// Gives errno, or 0.
int move_file(const fs::path& from, const fs::path& to, const fs::path& name) {
  std::error_code error;
  fs::create_directories((to / name).parent_path(), error);
  if (error) return error.value();
  return ::rename((from / name).c_str(), (to / name).c_str()) == 0 ? 0 : errno;
}

/// As far as that goes; the first errno, or 0.
int move_files(const fs::path& from, const fs::path& to, const std::vector<fs::path>& files) {
  int error = 0;
  for (const fs::path& name : files) {
    const int fault = move_file(from, to, name);
    if (error == 0) error = fault;
  }
  return error;
}
int move_all(const fs::path& from, const fs::path& to) {
  std::vector<fs::path> files;
  const int error = list_files(from, files);
  return error != 0 ? error : move_files(from, to, files);
}

class FileSwap {
 public:
  FileSwap(const fs::path& work, const fs::path& target, const ResultNames& names,
           std::vector<fs::path> fresh)
      : draft_(work / "draft"),
        old_(work / "old"),
        away_(work / "away"),
        target_(target),
        names_(names),
        fresh_(std::move(fresh)) {}

  int go() {
    const int error = move_out();
    return error == 0 ? move_in() : error;
  }

 private:
  /// Up to here a kill leaves old files only, and the next run puts them back.
  int move_out() {
    if (::mkdir(old_.c_str(), 0777) != 0) return errno;
    std::vector<fs::path> names = fresh_;
    names.insert(names.end(), names_.files.begin(), names_.files.end());
    int error = 0;
    for (const fs::path& name : names) {
      if (error != 0 || !is_there(target_ / name)) continue;
      error = fs::is_directory(fs::symlink_status(target_ / name)) ? EISDIR
                                                                   : move_file(target_, old_, name);
    }
    if (error == 0 && ::rename(old_.c_str(), away_.c_str()) == 0) return 0;
    if (error == 0) error = errno;
    move_all(old_, target_);
    return error;
  }
  /// From here on new files only, and the next run moves in the rest.
  int move_in() {
    std::vector<fs::path> moved;
    for (const fs::path& name : fresh_) {
      const int error = move_file(draft_, target_, name);
      if (error != 0) {
        move_files(target_, draft_, moved);
        // By this name the next run knows which way to go, should this one not get through.
        if (::rename(away_.c_str(), old_.c_str()) == 0) move_all(old_, target_);
        return error;
      }
      moved.push_back(name);
    }
    for (const fs::path name : names_.files) {  // a folder of ours that is empty now
      if (name.has_parent_path()) ::rmdir((target_ / name.parent_path()).c_str());
    }
    sync_folder(target_);
    std::error_code ignored;
    fs::remove_all(away_, ignored);
    return 0;
  }

  fs::path draft_, old_, away_;
  const fs::path& target_;
  const ResultNames& names_;
  std::vector<fs::path> fresh_;
};

}  // namespace

int swap_results(const fs::path& work, const fs::path& target, const ResultNames& names,
                 bool as_a_whole) {
  const fs::path draft = work / "draft";
  sync_folder(draft);
  if (!is_there(target)) {
    if (::rename(draft.c_str(), target.c_str()) != 0) return errno;
    sync_folder(target.parent_path());
    return 0;
  }
  std::vector<fs::path> fresh;
  const int error = list_files(draft, fresh);
  if (error != 0) return error;
  if (as_a_whole && swap_whole(draft, target, names)) return 0;
  return FileSwap(work, target, names, std::move(fresh)).go();
}

int finish_swap(const fs::path& work, const fs::path& target) {
  const fs::path old = work / "old", away = work / "away", draft = work / "draft";
  if (is_there(old)) return move_all(old, target);
  if (!is_there(away)) return 0;
  const int error = is_there(draft) ? move_all(draft, target) : 0;
  std::error_code ignored;
  if (error == 0) fs::remove_all(away, ignored);
  return error;
}

void clear_work(const fs::path& work) noexcept try {
  std::error_code ignored;
  // Where it could not be moved in, the draft is what is to come.
  if (!is_there(work / "away")) fs::remove_all(work / "draft", ignored);
  std::vector<fs::path> left;
  if (list_files(work, left) == 0 && left.empty()) fs::remove_all(work, ignored);
} catch (const std::exception&) {
  // Without memory even for this, it is left to the next run.
}

}  // namespace bristle::cli
