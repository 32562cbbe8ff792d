// bristle curve MODEL --v a:b:n: steady friction against velocity, as CSV or as a picture.

#include <cmath>

#include <fmt/format.h>

#include "bristle/report/plot.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace curve_detail {

struct Options {
  LawOptions law;
  std::string v, fn = "1", plot, out;
};

/// The curve as drawn: a set-valued law gets its vertical line at rest.
Series drawn(const AnyLaw& law, const std::vector<double>& v, double fn) {
  Series series{.label = std::string(law.name())};
  const bool set_valued = law.info().can(Capability::set_valued);
  const StickSet stick = law.stick_set(fn);
  const auto add = [&](double x, double y) {
    series.x.push_back(x);
    series.y.push_back(y);
  };
  bool rested = false;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const bool crosses = i > 0 && v[i - 1] < 0 && v[i] > 0;
    if (set_valued && !rested && (v[i] == 0.0 || crosses)) {
      add(0, stick.min);
      add(0, stick.max);
      rested = true;
      if (v[i] == 0.0) continue;
    }
    add(v[i], law.steady(v[i], fn));
  }
  return series;
}

std::string csv_of(const AnyLaw& law, const std::vector<double>& v, double fn) {
  const bool set_valued = law.info().can(Capability::set_valued);
  const StickSet stick = law.stick_set(fn);
  std::string csv = set_valued ? "v,F,F_min,F_max\n" : "v,F\n";
  for (const double x : v) {
    const double f = law.steady(x, fn);
    fmt::format_to(std::back_inserter(csv), "{:.17g},{:.17g}", x, f);
    if (set_valued) {
      const bool rests = stick.rests(x);
      fmt::format_to(std::back_inserter(csv), ",{:.17g},{:.17g}", rests ? stick.min : f,
                     rests ? stick.max : f);
    }
    csv += '\n';
  }
  return csv;
}

void run(const Options& options) {
  const AnyLaw law = options.law.law();
  const std::vector<double> v = parse_grid(options.v, "--v", "m/s");
  const double fn = parse_option(options.fn, "--fn", "N");
  if (!(fn >= 0)) {
    throw InputError({.message = "a normal load cannot pull",
                      .key = "--fn",
                      .value = options.fn,
                      .expected = "a load of at least 0 N"});
  }
  check_result(options.out);
  if (!options.plot.empty()) check_figure_path(options.plot);
  write_result(options.out, csv_of(law, v, fn));
  if (options.plot.empty()) return;
  Figure figure{.title = fmt::format("{}: steady friction", law.info().page.title),
                .caption = fmt::format("Load {:g} N.", fn)};
  figure.panels.push_back({.x_label = "Slip velocity v (m/s)",
                           .y_label = "Friction F (N)",
                           .series = {drawn(law, v, fn)},
                           .x_log = options.v.starts_with("log:")});
  save_figure(figure, options.plot);
}

}  // namespace curve_detail

void add_curve(CLI::App& app) {
  using namespace curve_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "curve", "steady friction–velocity curve of a law, CSV on standard output");
  options->law.add_to(*command);
  command
      ->add_option(
          "--v", options->v,
          "velocities a:b:n in m/s or with units (-5 mm/s:5 mm/s:101); log:a:b:n spaces by "
          "ratio")
      ->type_name("a:b:n")
      ->required();
  command->add_option("--fn", options->fn, "normal load")->type_name("N")->capture_default_str();
  command->add_option("--plot", options->plot, "also draw it: FILE.svg, FILE.html or FILE.png")
      ->type_name("FILE");
  command->add_option("--out", options->out, "write the CSV to a file instead")->type_name("FILE");
  command->footer(
      "Columns: v, F (the limit at constant v; the mean for the random law), and for set-valued "
      "laws\n"
      "F_min, F_max: the forces possible at rest (Karnopp: in its band, where F is the sliding "
      "level).\n"
      "Examples:\n"
      "  bristle curve stribeck --v=-0.01:0.01:201 --plot stribeck.svg\n"
      "  bristle curve lugre --set mu_s=0.4 --set v_s='2 mm/s' --v log:1e-6:1:121 --fn 50");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
