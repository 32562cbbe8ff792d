// bristle track FILE.yaml: parameters followed sample by sample along a log.

#include "bristle/identify/track.hpp"

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "bristle/io/atomic_file.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

struct Options {
  std::string file, out;
};

void run(const Options& options) {
  const Document document = Document::read(options.file);
  const TrackTask task = read_track(document);
  document.finish();
  const Table result = track(task);
  const std::string folder = options.out.empty()
                                 ? "results/" + std::filesystem::path(options.file).stem().string()
                                 : options.out;
  std::filesystem::create_directories(folder);
  std::ostringstream csv;
  write_csv(csv, result);
  write_file(folder + "/track.csv", csv.str());
  write_file(folder + "/report.html", render_page(track_page(task, result)));
  std::string text = task.title + "\n";
  for (const Tracked& p : task.parameters) {
    text += fmt::format("  {:<8} {:.6g} ± {:.2g}, at the end\n", p.name, result.at(p.name).back(),
                        result.at(p.name + "_sd").back());
  }
  write_result("", text + fmt::format("  results in {}\n", folder));
}

}  // namespace

void add_track(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "track", "parameters that change, followed sample by sample along a log as in real time");
  command->add_option("FILE", options->file, "data, law and what is followed, YAML")->required();
  command->add_option("--out", options->out, "folder for the results (default results/FILE)")
      ->type_name("DIR");
  command->footer(
      "Writes track.csv and report.html. Example of a file:\n"
      "  data:\n"
      "    - {file: rig3.csv, columns: {time: {column: t}, slip: {column: v}, load: 12 N, force: "
      "{column: F}}}\n"
      "  law: coulomb-regularised\n"
      "  track: {mu_k: {start: 0.2, min: 0, max: 1, walk: 0.01}}   # walk: per root second\n"
      "  noise: 0.1 N\n"
      "A larger walk follows faster and is noisier. Up to four parameters.");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
