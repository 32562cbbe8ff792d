// bristle restitution: the restitution of free impacts against the one asked for, of every law.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/impact.hpp"
#include "bristle/normal/kelvin_voigt.hpp"
#include "bristle/report/plot.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace restitution_detail {

struct Options {
  std::string e = "0.01,0.05,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,0.95,0.99,1";
  std::string v = "1", mass = "1", plot, out;
  std::vector<std::string> laws;
  bool json = false, check = false;
};

/// What one law makes of the restitutions asked of it.
struct Answer {
  std::string name;
  bool exact = false;
  std::vector<double> closed, integrated;
};

std::vector<double> parse_asked(const std::string& text) {
  std::vector<double> asked;
  if (text.find(':') != std::string::npos) {
    asked = parse_grid(text, "--e", "1");
  } else {
    std::istringstream list(text + ',');  // or an empty item at the end would be passed over
    for (std::string item; std::getline(list, item, ',');) {
      asked.push_back(parse_option(item, "--e", "1"));
    }
  }
  const auto valid = [](double e) { return e >= 0 && e <= 1; };
  if (asked.empty() || !std::all_of(asked.begin(), asked.end(), valid)) {
    throw InputError({.message = "not a restitution",
                      .key = "--e",
                      .value = text,
                      .expected = "values from 0 to 1: a:b:n, or a list such as 0.1,0.5,0.9"});
  }
  return asked;
}

double parse_positive(const std::string& text, const char* option, const char* unit) {
  const double value = parse_option(text, option, unit);
  if (value > 0 && std::isfinite(value)) return value;
  throw InputError({.message = "must be positive",
                    .key = option,
                    .value = text,
                    .expected = fmt::format("a number above 0 {}", unit)});
}

/// The law set so that it is asked for restitution e. Hunt–Crossley's α is the one that means e at
/// this speed; the damper of Kelvin–Voigt is the textbook's for this mass; elastic laws stay as
/// they are.
AnyNormal asking(const std::string& name, double e, double v_i, double mass) {
  AnyNormal law(name);
  if (law.info().takes_restitution) {
    law.set("e", e);
  } else if (name == "hunt-crossley") {
    law.set("alpha", (1 - e) / v_i);
  } else if (name == "kelvin-voigt") {
    const double ratio = normal::kelvin_voigt_ratio(std::max(e, 1e-3));
    law.set("b", 2 * ratio * std::sqrt(law.get("k") * mass));
  }
  return law;
}

double closed_form(const AnyNormal& law, double v_i, double mass) {
  if (law.name() != "kelvin-voigt") return law.achieved(v_i);
  return normal::kelvin_voigt_restitution(law.get("b") / (2 * std::sqrt(law.get("k") * mass)));
}

Answer answer_of(const std::string& name, const std::vector<double>& asked, double v_i, double mass,
                 bool check) {
  Answer answer{name, AnyNormal(name).exact_restitution(), {}, {}};
  for (const double e : asked) {
    const AnyNormal law = asking(name, e, v_i, mass);
    answer.closed.push_back(closed_form(law, v_i, mass));
    if (check) answer.integrated.push_back(normal::integrate_impact(law.latch(v_i), mass, v_i).e);
  }
  return answer;
}

std::string csv_of(const std::vector<double>& asked, const std::vector<Answer>& answers) {
  std::string csv = "e";
  for (const Answer& a : answers) {
    csv += "," + a.name;
    if (!a.integrated.empty()) csv += "," + a.name + "_integrated";
  }
  csv += '\n';
  for (std::size_t i = 0; i < asked.size(); ++i) {
    csv += fmt::format("{:.17g}", asked[i]);
    for (const Answer& a : answers) {
      csv += fmt::format(",{:.17g}", a.closed[i]);
      if (!a.integrated.empty()) csv += fmt::format(",{:.17g}", a.integrated[i]);
    }
    csv += '\n';
  }
  return csv;
}

std::string json_of(const std::vector<double>& asked, const std::vector<Answer>& answers,
                    double v_i, double mass) {
  using Json = nlohmann::ordered_json;
  Json json{{"v_i", v_i}, {"mass", mass}, {"e", asked}, {"laws", Json::array()}};
  for (const Answer& a : answers) {
    Json law{{"name", a.name}, {"exact_restitution", a.exact}, {"achieved", a.closed}};
    if (!a.integrated.empty()) law["integrated"] = a.integrated;
    json["laws"].push_back(law);
  }
  return json.dump(2) + "\n";
}

Figure figure_of(const std::vector<double>& asked, const std::vector<Answer>& answers) {
  Panel panel{.x_label = "Restitution asked for", .y_label = "Restitution of a free impact"};
  for (const Answer& a : answers) panel.series.push_back({a.name, asked, a.closed});
  return {.title = "Restitution of normal laws", .caption = "", .panels = {panel}};
}

void run(const Options& options) {
  const std::vector<double> asked = parse_asked(options.e);
  const double v_i = parse_positive(options.v, "--v", "m/s");
  const double mass = parse_positive(options.mass, "--mass", "kg");
  check_result(options.out);
  if (!options.plot.empty()) check_figure_path(options.plot);
  std::vector<std::string> names = AnyNormal::names();
  if (!options.laws.empty()) {
    names.clear();
    for (const std::string& name : options.laws) names.emplace_back(AnyNormal(name).name());
  }
  std::vector<Answer> answers;
  answers.reserve(names.size());
  for (const std::string& name : names) {
    answers.push_back(answer_of(name, asked, v_i, mass, options.check));
  }
  write_result(options.out,
               options.json ? json_of(asked, answers, v_i, mass) : csv_of(asked, answers));
  if (!options.plot.empty()) save_figure(figure_of(asked, answers), options.plot);
}

}  // namespace restitution_detail

void add_restitution(CLI::App& app) {
  using namespace restitution_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "restitution", "restitution of free impacts against the one asked for, of every normal law");
  command
      ->add_option("--e", options->e,
                   "restitutions asked for: a:b:n, log:a:b:n, or a list 0.1,0.5,0.9")
      ->type_name("a:b:n")
      ->capture_default_str();
  command
      ->add_option("--law", options->laws,
                   "only this law (repeatable, or a list a,b); 'bristle models' lists them")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--v", options->v, "approach speed")->type_name("m/s")->capture_default_str();
  command
      ->add_option("--mass", options->mass, "mass, which matters for kelvin-voigt and --check only")
      ->type_name("kg")
      ->capture_default_str();
  command->add_flag("--check", options->check, "also integrate each impact");
  command->add_flag("--json", options->json, "machine-readable");
  command->add_option("--plot", options->plot, "also draw it: FILE.svg, FILE.html or FILE.png")
      ->type_name("FILE");
  command->add_option("--out", options->out, "write the result to a file instead")
      ->type_name("FILE");
  command->footer(
      "Columns: e, then for each law the restitution of a free impact from the closed form, and\n"
      "with --check LAW_integrated, from the equation of motion with the default stiffness.\n"
      "hunt-crossley gets the alpha that means e at this speed, kelvin-voigt the textbook's "
      "damper\n"
      "for this mass; hertz and flat-punch are elastic whatever is asked.\n"
      "Examples:\n"
      "  bristle restitution\n"
      "  bristle restitution --law gonthier,flores --e 0.05:0.95:19 --check\n"
      "  bristle restitution --e 0:1:101 --plot restitution.svg --out restitution.csv");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
