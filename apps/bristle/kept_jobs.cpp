#include "kept_jobs.hpp"

#include <atomic>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "bristle/core/parallel.hpp"
#include "bristle/io/atomic_file.hpp"
#include "bristle/version.hpp"
#include "progress.hpp"
#include "say.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t digits = 32;

class Runner {
 public:
  Runner(const std::vector<KeptJob>& jobs, const fs::path& cache) : jobs_(jobs), cache_(cache) {}
  ~Runner() {
    if (terminal_) say("\r\033[K");
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  int run(int threads) {
    const Interrupt interrupt;
    in_parallel(jobs_.size(), threads, [this](std::size_t i) {
      if (!Interrupt::asked()) work(jobs_[i]);
    });
    if (Interrupt::asked()) {
      throw std::runtime_error("interrupted; what was computed is kept, run it again to go on");
    }
    return computed_;
  }

 private:
  void work(const KeptJob& job) {
    const fs::path file = cache_ / (job.key + ".json");
    if (!fs::exists(file) || !job.take(read_text(file))) {
      const std::optional<std::string> text = job.compute();
      ++computed_;
      if (text) write_file(file, *text);
    }
    report(job);
  }

  void report(const KeptJob& job) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!terminal_) return;
    say("\r[{}/{}] {}\033[K", done_, jobs_.size(), job.name);
    std::fflush(stderr);
  }

  const std::vector<KeptJob>& jobs_;
  const fs::path& cache_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::atomic<int> computed_ = 0;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

/// Old files of the same jobs: another program's, or of what has since changed.
void drop_stale(const fs::path& cache, const std::vector<KeptJob>& jobs) {
  std::set<std::string> wanted, stems;
  for (const KeptJob& job : jobs) {
    wanted.insert(job.key + ".json");
    stems.insert(job.key.substr(0, job.key.size() - digits));
  }
  constexpr std::size_t tail = digits + std::string_view(".json").size();
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cache, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= tail || wanted.contains(name)) continue;
    if (stems.contains(name.substr(0, name.size() - tail))) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string program_name() {
  const std::string text = read_text("/proc/self/exe");
  return fmt::format("bristle {} {} {:x}", version, text.size(), std::hash<std::string>{}(text));
}

int run_kept(const std::vector<KeptJob>& jobs, const fs::path& cache, int threads) {
  const int computed = Runner(jobs, cache).run(threads);
  drop_stale(cache, jobs);
  return computed;
}

std::vector<papers::StudyResult> empty_results(const std::vector<papers::Study>& studies) {
  std::vector<papers::StudyResult> results;
  for (const papers::Study& study : studies) {
    results.push_back({&study, std::vector<papers::StudyRow>(study.rows())});
  }
  return results;
}

std::vector<KeptJob> study_jobs(std::vector<papers::StudyResult>& results) {
  std::vector<KeptJob> jobs;
  const std::string program = program_name();
  for (papers::StudyResult& result : results) {
    for (std::size_t row = 0; row < result.rows.size(); ++row) {
      const papers::Study* study = result.study;
      papers::StudyRow* place = &result.rows[row];
      jobs.push_back({.name = study->name + " " + study->law(row),
                      .key = papers::cache_key(*study, row, program),
                      .take =
                          [=](const std::string& text) {
                            const auto kept = papers::row_from_cache(*study, text);
                            if (kept) *place = *kept;
                            return kept.has_value();
                          },
                      .compute = [=]() -> std::optional<std::string> {
                        *place = papers::compute_row(*study, row);
                        return papers::to_cache(*place);
                      }});
    }
  }
  return jobs;
}

void write_studies(const fs::path& folder, const std::vector<papers::StudyResult>& results,
                   bool beside_papers) {
  Gallery gallery = papers::study_gallery(results);
  if (beside_papers) gallery.links.push_back({"The papers, reproduced", "index.html"});
  const std::string json = papers::study_json(results), page = render_gallery(gallery);
  write_file(folder / "study.html", page);
  write_file(folder / "study.json", json);
}

}  // namespace bristle::cli
