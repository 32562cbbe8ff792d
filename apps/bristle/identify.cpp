// bristle identify FILE.yaml: parameters from measurements.

#include <filesystem>

#include <fmt/format.h>

#include "bristle/identify/recipe.hpp"
#include "bristle/identify/task.hpp"
#include "bristle/io/atomic_file.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

struct Options {
  std::string file, out;
  bool json = false;
};

void write_results(const Options& options, const RecipeResult& result) {
  const std::string folder = options.out.empty()
                                 ? "results/" + std::filesystem::path(options.file).stem().string()
                                 : options.out;
  std::filesystem::create_directories(folder);
  write_file(folder + "/estimate.json", result.json);
  write_file(folder + "/report.html", render_page(result.page));
  write_result("",
               options.json ? result.json : result.text + fmt::format("  results in {}\n", folder));
}

void run(const Options& options) {
  const Document document = Document::read(options.file);
  if (document["recipe"].exists()) return write_results(options, run_recipe(document));
  IdentifyTask task = read_task(document);
  document.finish();
  const Interrupt interrupt;
  Progress progress("identify", static_cast<double>(task.laws.size() *
                                                    static_cast<std::size_t>(task.search.starts)));
  int before = 0, all = 0;
  task.search.progress = [&](int done, double) {
    if (done < before) all += task.search.starts;
    before = done;
    return progress(all + done);
  };
  const Identification result = identify(task);
  write_results(options, {identification_text(task, result), estimate_json(task, result),
                          identification_page(task, result)});
}

}  // namespace

void add_identify(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "identify", "parameters of friction laws from measurements, with intervals and verdicts");
  command->add_option("FILE", options->file, "data, laws and what is sought, YAML")->required();
  command->add_option("--out", options->out, "folder for the results (default results/FILE)")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "print estimate.json");
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
      "With 'recipe: NAME' it is a procedure of a test rig instead: indentation, damping,\n"
      "break-away, steady-speed, dwell, spin, peg-hole (docs/recipes.md).\n"
      "Verdicts: determined (95 % interval within 5 %), weak, not determined; with the reason, "
      "and\n"
      "the record that would help.");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
