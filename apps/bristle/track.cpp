// bristle track FILE.yaml: parameters followed sample by sample along a log.

#include "bristle/identify/track.hpp"

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "bristle/io/atomic_file.hpp"
#include "commands.hpp"
#include "result_folder.hpp"
#include "track_times.hpp"

namespace bristle::cli {
namespace track_detail {

struct Options {
  std::string file, out, plot, rate = "0";
  int laps = TrackTimesOptions{}.laps;
  bool json = false;
};

void run(const Options& options) {
  if (!options.plot.empty()) check_figure_path(options.plot);
  const Document document = Document::read(options.file);
  const TrackTask task = read_track(document);
  document.finish();
  const std::string folder = options.out.empty()
                                 ? "results/" + std::filesystem::path(options.file).stem().string()
                                 : options.out;
  ResultFolder results(folder,
                       {.files = {"track.csv", "track.json", "timing.json", "report.html"}});
  const TrackTimes times =
      time_track(task, {.laps = options.laps, .rate = parse_option(options.rate, "--rate", "1/s")});
  const Table result = track(task);
  std::ostringstream csv;
  write_csv(csv, result);
  const std::string json = track_json(task, result);
  const nlohmann::ordered_json timing = track_times_json(times);
  ReportPage page = track_page(task, result);
  add_track_times(page, times);
  write_file(results.draft() / "track.csv", csv.str());
  write_file(results.draft() / "track.json", json);
  write_file(results.draft() / "timing.json", timing.dump(1) + "\n");
  write_file(results.draft() / "report.html", render_page(page));
  results.publish();
  if (!options.plot.empty()) save_figure(track_figure(task, result), options.plot);
  if (options.json) {
    nlohmann::ordered_json both = nlohmann::ordered_json::parse(json);
    both["timing"] = timing;
    write_result("", both.dump(1) + "\n");
    return;
  }
  write_result("", track_text(task, result) + track_times_text(times) +
                       fmt::format("\n  results in {}\n", folder));
}

}  // namespace track_detail

void add_track(CLI::App& app) {
  using namespace track_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "track", "parameters that change, followed sample by sample along a log as in real time");
  command->add_option("FILE", options->file, "data, law and what is followed, YAML")->required();
  command->add_option("--out", options->out, "folder for the results (default results/FILE)")
      ->type_name("DIR");
  command->add_option("--plot", options->plot, "figure of the parameters: .svg, .html or .png")
      ->type_name("FILE");
  command->add_option("--laps", options->laps, "how often the log is repeated to be timed")
      ->capture_default_str();
  command
      ->add_option("--rate", options->rate,
                   "samples per second against the wall clock while it is timed; 0: none waits")
      ->capture_default_str();
  command->add_flag("--json", options->json, "print JSON; times in seconds");
  command->footer(
      "Writes track.csv, track.json, report.html, and timing.json. Example of a file:\n"
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
