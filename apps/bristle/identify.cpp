// bristle identify FILE.yaml: parameters from measurements.

#include <cmath>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "bristle/identify/recipe.hpp"
#include "bristle/identify/task.hpp"
#include "bristle/io/atomic_file.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "result_folder.hpp"

namespace bristle::cli {
namespace identify_detail {

/// The search so far, which goes when its results are there.
constexpr const char* log_name = "search.json";

struct Options {
  std::string file, out;
  bool json = false, resume = false;

  std::string folder() const {
    return out.empty() ? "results/" + std::filesystem::path(file).stem().string() : out;
  }
};

/// "lugre: 7 of 20 starts, lowest rms 0.102 N".
std::string note_of(const Stage& stage) {
  std::string note = stage.what;
  if (stage.of > 0) {
    note += fmt::format(": {} of {} starts", stage.done, stage.of);
  } else if (!note.empty()) {
    note += fmt::format(": {} looks at the model", stage.looks);
  }
  if (std::isfinite(stage.lowest)) {
    note += fmt::format(", lowest rms {:.4g} {}", stage.lowest, stage.unit);
  }
  return note;
}

void write_results(const Options& options, const RecipeResult& result, ResultFolder& results) {
  write_file(results.draft() / "estimate.json", result.json);
  write_file(results.draft() / "report.html", render_page(result.page));
  results.publish();
  write_result("", options.json ? result.json
                                : result.text + fmt::format("  results in {}\n", options.folder()));
}

RecipeResult fit_laws(const Options& options, const Document& document, const Watcher& watcher) {
  IdentifyTask task = read_task(document);
  document.finish();
  const std::string log = options.folder() + "/" + log_name;
  if (!options.resume) std::filesystem::remove(log);
  task.log = std::make_shared<SearchLog>(log, task.key);
  task.watcher = watcher;
  Identification result;
  try {
    result = identify(task);
  } catch (const SearchStopped& stopped) {
    const int kept = task.log->done();
    throw std::runtime_error(
        kept > 0 ? fmt::format("{}; {} starts are kept in {}: go on with --resume", stopped.what(),
                               kept, log)
                 : fmt::format("{}; no start was done, none is kept", stopped.what()));
  } catch (const WriteError& error) {
    std::error_code ignored;
    std::filesystem::remove(options.folder(), ignored);  // only if nothing is in it
    if (!std::filesystem::exists(log, ignored)) throw;
    throw WriteError(
        fmt::format("{}; what was kept before stays: go on with --resume", error.what()));
  } catch (const std::bad_alloc&) {
    throw;  // with what was kept before
  } catch (...) {
    // Nothing half-done stays behind; a folder that holds something else does.
    std::error_code ignored;
    std::filesystem::remove(log, ignored);
    std::filesystem::remove(options.folder(), ignored);
    throw;
  }
  return {identification_text(task, result), estimate_json(task, result),
          identification_page(task, result)};
}

void run(const Options& options) {
  const Document document = Document::read(options.file);
  ResultFolder results(options.folder(), {.files = {"estimate.json", "report.html", log_name}});
  const Interrupt interrupt;
  RecipeResult result;
  {
    Progress progress("identify", 1);
    const Watcher watcher = [&](const Stage& stage) {
      return progress(stage.share, [&] { return note_of(stage); });
    };
    result = document["recipe"].exists() ? run_recipe(document, watcher)
                                         : fit_laws(options, document, watcher);
  }
  write_results(options, result, results);
}

}  // namespace identify_detail

void add_identify(CLI::App& app) {
  using namespace identify_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "identify", "parameters of friction laws from measurements, with intervals and verdicts");
  command->add_option("FILE", options->file, "data, laws and what is sought, YAML")->required();
  command->add_option("--out", options->out, "folder for the results (default results/FILE)")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "print estimate.json");
  command->add_flag("--resume", options->resume, "go on where Ctrl-C ended the last search");
  command->footer(
      "Writes estimate.json and report.html. Example of a file:\n"
      "  data:\n"
      "    - file: rig3.csv\n"
      "      columns:\n"
      "        time: {column: t, unit: s}\n"
      "        slip: {column: v, unit: mm/s}\n"
      "        load: 12 N\n"
      "        force: {column: F, unit: N}\n"
      "  laws: [lugre, gonthier, stribeck]\n"
      "  parameters: {sigma2: {fixed: 0}, mu_s: {start: 0.3}}\n"
      "  fit_share: 0.5            the second half is held out, and ranks the laws\n"
      "Verdicts: determined (95 % interval within 5 %), weak, not determined; with the reason, "
      "and\n"
      "the record that would help.\n"
      "With 'recipe: NAME' the file describes a whole experiment: " +
      fmt::format("{}.", fmt::join(recipe_names(), ", ")));
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
