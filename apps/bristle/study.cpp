// bristle study [NAME...]: one system under every law that can drive it, and what follows.

#include "bristle/papers/study.hpp"

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "commands.hpp"
#include "kept_jobs.hpp"
#include "result_folder.hpp"
#include "run_scenario.hpp"

namespace bristle::cli {
namespace study_detail {

namespace fs = std::filesystem;
using papers::Study;
using papers::StudyResult;

struct Options {
  std::vector<std::string> names;
  std::string out = "results/study", studies;
  int threads = 0;
  bool list = false, json = false;
};

std::vector<Study> chosen(std::vector<Study> studies, const std::vector<std::string>& names) {
  if (names.empty()) return studies;
  std::vector<std::string> known;
  for (const Study& study : studies) known.push_back(study.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError({.message = "unknown study",
                      .value = name,
                      .expected = one_of(known),
                      .nearest = nearest_name(name, known)});
  }
  std::erase_if(studies, [&](const Study& study) {
    return std::find(names.begin(), names.end(), study.name) == names.end();
  });
  return studies;
}

std::string listing(const std::vector<Study>& studies) {
  std::string text;
  for (const Study& study : studies) {
    text += fmt::format("{:<10} {} ({}, {} laws)\n", study.name, study.title, study.scenario,
                        study.laws.size());
  }
  return text;
}

std::string summary(const std::vector<StudyResult>& results) {
  std::string text;
  for (const StudyResult& result : results) {
    text += result.study->title + "\n\n" + text_table(papers::study_table(result)) + "\n";
    for (const papers::StudyRow& row : result.rows) {
      if (!row.error.empty()) text += fmt::format("{}: {}\n", row.law, row.error);
    }
    for (const std::string& spread : papers::spreads_of(result)) text += spread + "\n";
    for (const papers::Said& said : papers::findings_of(result)) {
      text += fmt::format("{} {}\n", said.holds ? "✓" : "✗", said.text);
    }
    text += "\n";
  }
  return text;
}

void run(const Options& options) {
  const std::vector<Study> studies = chosen(
      options.studies.empty() ? papers::builtin_studies() : papers::read_studies(options.studies),
      options.names);
  if (options.list) return write_result("", listing(studies));
  const fs::path folder = options.out;
  ResultFolder place(options.out, {.files = {"study.html", "study.json"}, .kept = {".cache"}});
  const fs::path cache = place.kept(".cache");
  std::vector<StudyResult> results = empty_results(studies);
  run_kept(study_jobs(results), cache, options.threads);
  write_studies(place.draft(), results, false);
  place.publish();
  write_result("", options.json ? papers::study_json(results)
                                : summary(results) + fmt::format("page in {}\n",
                                                                 (folder / "study.html").string()));
}

}  // namespace study_detail

void add_study(CLI::App& app) {
  using namespace study_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "study", "one system under every law that can drive it, and what the numbers say");
  command->add_option("NAME", options->names, "studies (default: all)");
  command
      ->add_option("--out", options->out,
                   "folder for study.html and study.json (default results/study)")
      ->type_name("DIR");
  command->add_option("--studies", options->studies, "from the .yaml files of a folder instead")
      ->type_name("DIR");
  command->add_option("--threads", options->threads, "at a time (default: one per core)")
      ->check(CLI::Range(1, 256));
  command->add_flag("--list", options->list, "only list the studies");
  command->add_flag("--json", options->json, "print study.json");
  command->footer(
      "Results are kept in DIR/.cache until the study or the program changes.\n"
      "  bristle study belt\n"
      "  bristle study --out laws-side-by-side");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
