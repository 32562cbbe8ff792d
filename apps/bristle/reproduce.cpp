// bristle reproduce [ID...]: every published table and figure, computed again.

#include "bristle/papers/reproduce.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/io/atomic_file.hpp"
#include "commands.hpp"
#include "kept_jobs.hpp"
#include "result_folder.hpp"

namespace bristle::cli {
namespace reproduce_detail {

namespace fs = std::filesystem;
using papers::Item;
using papers::ItemResult;
using papers::Paper;

struct Options {
  std::vector<std::string> ids;
  std::string out = "results/papers", papers, data;
  int threads = 0;
  bool list = false, json = false;
};

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

std::vector<KeptJob> item_jobs(const std::vector<Paper>& papers, std::vector<ItemResult>& results) {
  std::vector<const Item*> items;
  for (const Paper& paper : papers) {
    for (const Item& item : paper.items) items.push_back(&item);
  }
  results.resize(items.size());
  std::vector<KeptJob> jobs;
  const std::string program = program_name();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item* item = items[i];
    ItemResult* place = &results[i];
    jobs.push_back({.name = item->id,
                    .key = papers::cache_key(*item, program),
                    .take =
                        [=](const std::string& text) {
                          const auto kept = papers::from_cache(*item, text);
                          if (kept) *place = *kept;
                          return kept.has_value();
                        },
                    .compute = [=]() -> std::optional<std::string> {
                      *place = papers::reproduce(*item);
                      if (!place->error.empty() || !place->absent.empty()) return std::nullopt;
                      return papers::to_cache(*place);
                    }});
  }
  return jobs;
}

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
  text += fmt::format("  {}\n", papers::tally(results));
  return text;
}

void run(const Options& options) {
  const std::vector<Paper> all = options.papers.empty()
                                     ? papers::builtin_papers(options.data)
                                     : papers::read_papers(options.papers, options.data);
  const std::vector<Paper> papers = chosen(all, options.ids);
  if (options.list) return write_result("", listing(papers));
  const fs::path folder = options.out;
  ResultFolder place(options.out, {.files = {"index.html", "results.json"}, .kept = {".cache"}});
  const fs::path cache = place.kept(".cache");
  const auto start = std::chrono::steady_clock::now();
  // The comparison of the laws belongs to the whole, not to single items.
  const bool whole = options.ids.empty() && options.papers.empty();
  const std::vector<papers::Study> studies =
      whole ? papers::builtin_studies() : std::vector<papers::Study>();
  std::vector<papers::StudyResult> compared = empty_results(studies);
  std::vector<ItemResult> results;
  std::vector<KeptJob> jobs = item_jobs(papers, results);
  for (KeptJob& job : study_jobs(compared)) jobs.push_back(std::move(job));
  const int computed = run_kept(jobs, cache, options.threads);
  const std::string earlier = read_text(place.old() / "results.json");
  const std::vector<std::string> lost = papers::regressions(earlier, results);
  const std::string json = papers::results_json(papers, results, earlier);
  Gallery gallery = papers::gallery_of(papers, results);
  if (whole) {
    for (const char* name : {"study.html", "study.json"}) place.replace(name);
    write_studies(place.draft(), compared, true);
    gallery.links.push_back({"The laws, side by side", "study.html"});
  }
  write_file(place.draft() / "index.html", render_gallery(gallery));
  write_file(place.draft() / "results.json", json);
  place.publish();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_result("", options.json
                       ? json
                       : summary(papers, results) +
                             fmt::format("  {} computed in {:.1f} s, page in {}\n", computed,
                                         seconds, (folder / "index.html").string()));
  if (!lost.empty()) {
    throw std::runtime_error(
        fmt::format("passed before and differ now: {}", fmt::join(lost, ", ")));
  }
  if (const std::vector<std::string> differ = papers::differing(results); !differ.empty()) {
    throw std::runtime_error(fmt::format("differ from print: {}", fmt::join(differ, ", ")));
  }
}

}  // namespace reproduce_detail

void add_reproduce(CLI::App& app) {
  using namespace reproduce_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "every published table and figure: printed against computed, as one page");
  command->add_option("ID", options->ids,
                      "items, or documents with all of theirs (default: everything)");
  command
      ->add_option("--out", options->out,
                   "folder for index.html, results.json and study.html (default results/papers)")
      ->type_name("DIR");
  command->add_option("--papers", options->papers, "items from the .yaml files of a folder instead")
      ->type_name("DIR");
  command
      ->add_option("--data", options->data,
                   "folder with measurements of others, which do not ship (docs/reproduce.md)")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  command->add_option("--threads", options->threads, "at a time (default: one per core)")
      ->check(CLI::Range(1, 256));
  command->add_flag("--list", options->list, "only list the items");
  command->add_flag("--json", options->json, "print results.json");
  command->footer(
      "Verdicts: reproduced; reproduced with a corrected misprint; not reproducible from what is\n"
      "printed; differs. Exit code 1 if an item differs. Results are kept in DIR/.cache until the "
      "item or the program changes.\n"
      "  bristle reproduce --out papers-page\n"
      "  bristle reproduce lin gonthier-fig-5");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
