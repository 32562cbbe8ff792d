// bristle reproduce [ID...]: every published table and figure, computed again.

#include "bristle/papers/reproduce.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "bristle/core/names.hpp"
#include "bristle/core/parallel.hpp"
#include "bristle/io/atomic_file.hpp"
#include "bristle/version.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "run_scenario.hpp"

namespace bristle::cli {
namespace {

namespace fs = std::filesystem;
using papers::Item;
using papers::ItemResult;
using papers::Paper;

struct Options {
  std::vector<std::string> ids;
  std::string out = "results/papers", papers;
  int threads = 0;
  bool list = false, json = false;
};

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Names this very program: a rebuilt one computes everything anew.
std::string program_name() {
  const std::string text = read_text("/proc/self/exe");
  return fmt::format("bristle {} {} {:x}", version, text.size(), std::hash<std::string>{}(text));
}

/// Those with the ids, or all; an id may also be the name of a document.
std::vector<Paper> chosen(std::vector<Paper> papers, const std::vector<std::string>& ids) {
  if (ids.empty()) return papers;
  std::vector<std::string> known;
  for (const Paper& paper : papers) {
    known.push_back(paper.name);
    for (const Item& item : paper.items) known.push_back(item.id);
  }
  for (const std::string& id : ids) {
    if (std::find(known.begin(), known.end(), id) != known.end()) continue;
    throw InputError({.message = "unknown item",
                      .value = id,
                      .expected = "an id of 'bristle reproduce --list'",
                      .nearest = nearest_name(id, known)});
  }
  const auto asked = [&](const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  for (Paper& paper : papers) {
    if (asked(paper.name)) continue;
    std::erase_if(paper.items, [&](const Item& item) { return !asked(item.id); });
  }
  std::erase_if(papers, [](const Paper& paper) { return paper.items.empty(); });
  return papers;
}

std::string listing(const std::vector<Paper>& papers) {
  std::string text;
  for (const Paper& paper : papers) {
    text += fmt::format("{}: {} {}, {}\n", paper.name, paper.authors, paper.year, paper.title);
    for (const Item& item : paper.items) {
      text += fmt::format("  {:<28} {}: {}\n", item.id, item.where, item.title);
    }
  }
  return text;
}

/// Computes what the cache does not hold, on several threads. Each result is written as soon as it
/// is there, so that an interrupted run goes on where it stopped.
class Runner {
 public:
  Runner(const std::vector<Paper>& papers, fs::path cache, int threads)
      : cache_(std::move(cache)), program_(program_name()), threads_(threads) {
    for (const Paper& paper : papers) {
      for (const Item& item : paper.items) items_.push_back(&item);
    }
    results_.resize(items_.size());
  }

  std::vector<ItemResult> run() {
    const Interrupt interrupt;
    in_parallel(items_.size(), threads_, [this](std::size_t i) {
      if (!Interrupt::asked()) compute(i);
    });
    clear_line();
    if (Interrupt::asked()) {
      throw std::runtime_error("interrupted; what was computed is kept, run it again to go on");
    }
    if (!fault_.empty()) throw std::runtime_error(fault_);
    return std::move(results_);
  }
  int computed() const { return computed_; }

 private:
  void compute(std::size_t i) {
    try {
      results_[i] = result_of(*items_[i]);
    } catch (const std::exception& error) {  // of the disk; those of an item are its result
      const std::lock_guard lock(mutex_);
      fault_ = error.what();
    }
    report(*items_[i]);
  }

  ItemResult result_of(const Item& item) {
    const fs::path file = cache_ / (papers::cache_key(item, program_) + ".json");
    if (fs::exists(file)) {
      if (std::optional<ItemResult> kept = papers::from_cache(item, read_text(file))) return *kept;
    }
    ItemResult result = papers::reproduce(item);
    ++computed_;
    if (result.error.empty()) write_file(file, papers::to_cache(result));
    return result;
  }

  void report(const Item& item) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!terminal_) return;
    fmt::print(stderr, "\r[{}/{}] {}\033[K", done_, items_.size(), item.id);
    std::fflush(stderr);
  }
  void clear_line() const {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

  std::vector<const Item*> items_;
  std::vector<ItemResult> results_;
  fs::path cache_;
  std::string program_, fault_;
  int threads_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::atomic<int> computed_ = 0;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

std::string summary(const std::vector<Paper>& papers, const std::vector<ItemResult>& results) {
  std::map<papers::Verdict, int> counts;
  std::string text;
  std::size_t i = 0;
  for (const Paper& paper : papers) {
    for (const Item& item : paper.items) {
      const ItemResult& result = results[i++];
      ++counts[result.verdict];
      text += fmt::format("{:<28} {}\n", item.id, papers::text_of(result.verdict));
      if (!result.error.empty()) text += fmt::format("{:<28}   {}\n", "", result.error);
    }
  }
  for (const auto& [verdict, count] : counts) {
    text += fmt::format("{:>4} {}\n", count, papers::text_of(verdict));
  }
  return text;
}

/// Old files of the same items: another program's, or of items since changed.
void drop_stale(const fs::path& cache, const std::vector<Paper>& papers) {
  const std::string program = program_name();
  std::vector<std::string> wanted, prefixes;
  for (const Paper& paper : papers) {
    for (const Item& item : paper.items) {
      wanted.push_back(papers::cache_key(item, program) + ".json");
      prefixes.push_back(item.id + "-");
    }
  }
  constexpr std::size_t tail = 32 + std::string_view(".json").size();
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cache, ignored)) {
    const std::string name = entry.path().filename().string();
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
    for (const std::string& prefix : prefixes) {
      if (name.size() == prefix.size() + tail && name.starts_with(prefix)) {
        fs::remove(entry.path(), ignored);
      }
    }
  }
}

void run(const Options& options) {
  const std::vector<Paper> all =
      options.papers.empty() ? papers::builtin_papers() : papers::read_papers(options.papers);
  const std::vector<Paper> papers = chosen(all, options.ids);
  if (options.list) return write_result("", listing(papers));
  const fs::path folder = options.out, cache = folder / ".cache";
  make_folder(folder.string());
  make_folder(cache.string());
  const auto start = std::chrono::steady_clock::now();
  Runner runner(papers, cache, options.threads);
  const std::vector<ItemResult> results = runner.run();
  const std::string earlier = read_text(folder / "results.json");
  const std::vector<std::string> lost = papers::regressions(earlier, results);
  const std::string json = papers::results_json(papers, results, earlier);
  write_file(folder / "index.html", render_gallery(papers::gallery_of(papers, results)));
  write_file(folder / "results.json", json);
  drop_stale(cache, papers);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_result("", options.json ? json
                                : summary(papers, results) +
                                      fmt::format("  {} computed in {:.1f} s, page in {}\n",
                                                  runner.computed(), seconds,
                                                  (folder / "index.html").string()));
  if (lost.empty()) return;
  throw std::runtime_error(fmt::format("passed before and differ now: {}", fmt::join(lost, ", ")));
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "every published table and figure: printed against computed, as one page");
  command->add_option("ID", options->ids,
                      "items, or documents with all of theirs (default: everything)");
  command
      ->add_option("--out", options->out,
                   "folder for index.html and results.json (default results/papers)")
      ->type_name("DIR");
  command->add_option("--papers", options->papers, "items from the .yaml files of a folder instead")
      ->type_name("DIR");
  command->add_option("--threads", options->threads, "at a time (default: one per core)")
      ->check(CLI::Range(1, 256));
  command->add_flag("--list", options->list, "only list the items");
  command->add_flag("--json", options->json, "print results.json");
  command->footer(
      "Verdicts: reproduced; reproduced with a corrected misprint; not reproducible from what is\n"
      "printed; differs. Exit code 1 if an item that passed in the results.json of the folder\n"
      "differs now. Results are kept in DIR/.cache until the item or the program changes.\n"
      "  bristle reproduce --out papers-page\n"
      "  bristle reproduce lin gonthier-fig-5");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
