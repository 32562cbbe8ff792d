// bristle push FILE.yaml: how an object moves under a pusher, and laws fitted to measured pushes.

#include "bristle/scenario/push.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/report/plot.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace push_detail {

using Json = nlohmann::ordered_json;
constexpr double degree = std::numbers::pi / 180;

struct Options {
  std::string file, out, plot;
  bool json = false;
};

/// A law, what it was fitted to, and what it predicts.
struct Candidate {
  std::string name;
  const AreaLaw* law = nullptr;
  std::unique_ptr<AreaLaw> fitted{};  ///< owns the law if it was fitted
  bool newtons = false;               ///< forces in N, else over μN
  double angle = 0;                   ///< mean over the pairs, rad
  std::vector<double> left_out{};     ///< rad; none for the object's own law
  Push push{};
  PushPath path{};
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

std::vector<Candidate> candidates(const PushTask& task) {
  std::vector<Candidate> all;
  if (task.law) {
    Candidate& own = all.emplace_back();
    own.name = task.law->name();
    own.law = task.law.get();
  }
  if (!task.pairs) return all;
  const PushPairs& pairs = *task.pairs;
  for (const std::string& name : pairs.laws) {
    Candidate& c = all.emplace_back();
    c.name = "fitted " + name;
    c.fitted = pairs.fit(name, pairs.samples);
    c.law = c.fitted.get();
    c.newtons = name != "supports";
    c.left_out = left_out_angles(pairs.samples, pairs.length, pairs.folds,
                                 [&](auto some) { return pairs.fit(name, some); });
  }
  for (Candidate& c : all) c.angle = mean_angle(*c.law, pairs.samples, pairs.length);
  return all;
}

void predict(const PushTask& task, Candidate& c) {
  c.push = push(*c.law, task.contact, task.velocity);
  if (!c.push.found) {
    throw std::runtime_error(
        fmt::format("the law '{}' gives no motion for this push; try another, for example exact "
                    "with three supports or more",
                    c.name));
  }
  // Texts are in mm and degrees.
  const Planar told = 1e3 * c.push.motion;
  if (!told.allFinite() || !(1e3 * task.velocity).allFinite() || !c.push.force.allFinite() ||
      !std::isfinite(1e3 * c.push.slip)) {
    throw std::runtime_error(fmt::format(
        "the motion by the law '{}' is not finite: look for a quantity of extreme size", c.name));
  }
  if (task.duration > 0) {
    c.path = integrate_push(*c.law, task.edge, task.contact.mu, Planar::Zero(), task.velocity,
                            task.duration);
  }
}

/// In N where that is known.
struct Force {
  Point2 value;
  const char* unit;
};
Force force_of(const PushTask& task, const Candidate& c) {
  if (c.newtons) return {c.push.force, "N"};
  if (task.friction) return {c.push.force * *task.friction, "N"};
  return {c.push.force, "of muN"};
}

// ---- Text --------------------------------------------------------------------------------------

std::string text_of_push(const PushTask& task, const std::vector<Candidate>& all) {
  const PushContact& p = task.contact;
  std::string text = fmt::format(
      "Push at ({:g}, {:g}) mm along ({:.4g}, {:.4g}), mu {:g}, with ({:g}, {:g}) mm/s\n"
      "  {:<18} {:<14} {:>11} {:>11} {:>14} {:>12} {:>10} {:>10}\n",
      1e3 * p.at.x(), 1e3 * p.at.y(), p.normal.x(), p.normal.y(), p.mu, 1e3 * task.velocity.x(),
      1e3 * task.velocity.y(), "law", "pusher", "v_x (mm/s)", "v_y (mm/s)", "omega (deg/s)",
      "slip (mm/s)", "f_x", "f_y");
  for (const Candidate& c : all) {
    const Planar& v = c.push.motion;
    const Force f = force_of(task, c);
    text += fmt::format(
        "  {:<18} {:<14} {:>11.4f} {:>11.4f} {:>14.4f} {:>12.4f} {:>10.4f} "
        "{:>10.4f} {}\n",
        c.name, name_of(c.push.mode), 1e3 * v.x(), 1e3 * v.y(), v.z() / degree, 1e3 * c.push.slip,
        f.value.x(), f.value.y(), f.unit);
  }
  return text;
}

std::string text_of_paths(const PushTask& task, const std::vector<Candidate>& all) {
  std::string text =
      fmt::format("Path of {:g} s\n  {:<18} {:>9} {:>9} {:>11} {:>13}  end\n", task.duration, "law",
                  "x (mm)", "y (mm)", "angle (deg)", "slipped (mm)");
  for (const Candidate& c : all) {
    const PushState& s = c.path.states.back();
    text += fmt::format("  {:<18} {:>9.3f} {:>9.3f} {:>11.3f} {:>13.3f}  {} at {:.4g} s\n", c.name,
                        1e3 * s.pose.x(), 1e3 * s.pose.y(), s.pose.z() / degree, 1e3 * s.s,
                        name_of(c.path.end), s.time);
  }
  return text;
}

std::string coefficients_of(const Candidate& c) {
  if (const auto* quartic = dynamic_cast<const QuarticLaw*>(c.law)) {
    return fmt::format("    H(f_x, f_y, m/L) = 1, x^4 x^3y x^3z x^2y^2 … z^4 (1/N^4): {:.5g}\n",
                       fmt::join(quartic->coefficients(), " "));
  }
  if (const auto* ellipsoid = dynamic_cast<const EllipsoidLaw*>(c.law)) {
    const Eigen::Matrix3d b = ellipsoid->matrix();
    return fmt::format(
        "    w.B^-1 w = 1, B = [[{:.5g}, {:.5g}, {:.5g}], [., {:.5g}, {:.5g}], [., ., {:.5g}]] "
        "(N^2, N^2 m, N^2 m^2)\n",
        b(0, 0), b(0, 1), b(0, 2), b(1, 1), b(1, 2), b(2, 2));
  }
  if (const auto* supports = dynamic_cast<const SupportLaw*>(c.law)) {
    return fmt::format("    shares of the load: {:.4f}\n", fmt::join(supports->shares(), " "));
  }
  return "";
}

std::string text_of_fits(const PushPairs& pairs, const std::vector<Candidate>& all) {
  std::string text = fmt::format(
      "Motions of {} pushes, {}, L = {:g} mm; {} left out\n"
      "  {:<18} {:>16} {:>16} {:>17}\n",
      pairs.samples.size(), pairs.file, 1e3 * pairs.length,
      pairs.folds == 0 ? "one at a time" : fmt::format("one of {} parts", pairs.folds), "law",
      "all pairs (deg)", "left out (deg)", "worst left (deg)");
  for (const Candidate& c : all) {
    text += fmt::format("  {:<18} {:>16.2f}", c.name, c.angle / degree);
    if (c.left_out.empty()) {
      text += fmt::format(" {:>16} {:>17}\n", "not fitted", "");
      continue;
    }
    const double worst = *std::max_element(c.left_out.begin(), c.left_out.end());
    text += fmt::format(" {:>16.2f} {:>17.2f}\n", mean_of(c.left_out) / degree, worst / degree);
    text += coefficients_of(c);
  }
  return text;
}

// ---- JSON --------------------------------------------------------------------------------------

/// 0.0 is added to spare the reader -0.0.
Json json_of(const Point2& v) { return {v.x() + 0.0, v.y() + 0.0}; }
Json json_of(const Planar& v) { return {v.x() + 0.0, v.y() + 0.0, v.z() + 0.0}; }

Json json_of_path(const PushPath& path) {
  Json json{{"end", name_of(path.end)}, {"states", Json::array()}};
  for (const PushState& s : path.states) {
    json["states"].push_back({{"t", s.time},
                              {"pose", json_of(s.pose)},
                              {"s", s.s + 0.0},
                              {"mode", name_of(s.push.mode)}});
  }
  return json;
}

Json json_of_fit(const Candidate& c) {
  Json json{{"mean_angle", c.angle}};
  if (c.left_out.empty()) return json;
  json["left_out_mean_angle"] = mean_of(c.left_out);
  json["left_out_angles"] = c.left_out;
  if (const auto* quartic = dynamic_cast<const QuarticLaw*>(c.law)) {
    json["coefficients"] = quartic->coefficients();
    json["length"] = quartic->length();
  } else if (const auto* ellipsoid = dynamic_cast<const EllipsoidLaw*>(c.law)) {
    const Eigen::Matrix3d& b = ellipsoid->matrix();
    for (int i = 0; i < 3; ++i) json["B"].push_back(json_of(Planar(b.row(i))));
  } else if (const auto* supports = dynamic_cast<const SupportLaw*>(c.law)) {
    json["shares"] = std::vector<double>(supports->shares().begin(), supports->shares().end());
  }
  return json;
}

Json json_of(const PushTask& task, const std::vector<Candidate>& all) {
  Json json{{"object", task.object.empty() ? Json() : Json(task.object)}};
  for (const Candidate& c : all) {
    Json one{{"law", c.name}};
    if (task.has_pusher) {
      const Force f = force_of(task, c);
      one["mode"] = name_of(c.push.mode);
      one["motion"] = json_of(c.push.motion);
      one["slip"] = c.push.slip + 0.0;
      one["force"] = json_of(f.value);
      one["force_unit"] = f.unit;
    }
    if (task.duration > 0) one["path"] = json_of_path(c.path);
    if (task.pairs) one["pairs"] = json_of_fit(c);
    json["laws"].push_back(one);
  }
  return json;
}

// ---- Picture -----------------------------------------------------------------------------------

Figure figure_of(const PushTask& task, const std::vector<Candidate>& all) {
  Figure figure{.title = "Path of a push",
                .caption = "The object's origin in the world, and how far it has turned."};
  Panel place{.x_label = "x (mm)", .y_label = "y (mm)"};
  Panel turn{.x_label = "Time (s)", .y_label = "Angle (deg)"};
  for (const Candidate& c : all) {
    Series xy{.label = c.name}, angle{.label = c.name};
    for (const PushState& s : c.path.states) {
      xy.x.push_back(1e3 * s.pose.x());
      xy.y.push_back(1e3 * s.pose.y());
      angle.x.push_back(s.time);
      angle.y.push_back(s.pose.z() / degree);
    }
    place.series.push_back(xy);
    turn.series.push_back(angle);
  }
  const Point2 from = task.contact.at, to = from + task.duration * task.velocity;
  place.series.push_back({.label = "pusher",
                          .x = {1e3 * from.x(), 1e3 * to.x()},
                          .y = {1e3 * from.y(), 1e3 * to.y()},
                          .style = Series::Style::dashed});
  figure.panels = {place, turn};
  return figure;
}

void check_plot(const Options& options, const PushTask& task) {
  if (options.plot.empty()) return;
  check_figure_path(options.plot);
  if (task.duration > 0) return;
  throw InputError({.message = "nothing to draw: the file asks for no path",
                    .key = "--plot",
                    .value = options.plot,
                    .expected = "path: {duration: 5 s} in the file"});
}

void run(const Options& options) {
  const Document document = Document::read(options.file);
  const PushTask task = read_push(document.root());
  document.finish();
  check_result(options.out);
  check_plot(options, task);
  std::vector<Candidate> all = candidates(task);
  std::string text;
  if (task.has_pusher) {
    for (Candidate& c : all) predict(task, c);
    text += text_of_push(task, all);
  }
  if (task.duration > 0) text += text_of_paths(task, all);
  if (task.pairs) text += text_of_fits(*task.pairs, all);
  write_result(options.out, options.json ? json_of(task, all).dump(2) + "\n" : text);
  if (!options.plot.empty()) save_figure(figure_of(task, all), options.plot);
}

}  // namespace push_detail

void add_push(CLI::App& app) {
  using namespace push_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "push", "slow pushing: motion, force and path of an object; laws fitted to pushes");
  command->add_option("FILE", options->file, "object, pusher and pairs, YAML")->required();
  command->add_flag("--json", options->json, "machine-readable, SI units");
  command->add_option("--out", options->out, "write the result to a file instead")
      ->type_name("FILE");
  command->add_option("--plot", options->plot, "draw the path: FILE.svg, FILE.html or FILE.png")
      ->type_name("FILE");
  command->footer(
      "Example of a file:\n"
      "  object: {shape: {rectangle: {length: 20 cm, width: 10 cm}}, law: exact}\n"
      "  friction: 4.2 N                  # mu N of its support; without it forces are shares\n"
      "  pusher: {at: [-10 cm, 2 cm], normal: [1, 0], mu: 0.25, velocity: [2 cm/s, 0 m/s]}\n"
      "  path: {duration: 5 s, left: 3 cm, right: 7 cm}   # optional; curvature: 1/R if round\n"
      "Everything is in the object's frame at the start. Inertia is neglected. 'slip' is that of\n"
      "the pusher along the edge, to the left of one who looks along the normal.\n"
      "Measured pushes, with or without the rest:\n"
      "  pairs: pushes.csv                # columns fx, fy, m, vx, vy, omega about the origin\n"
      "  pairs: {file: pushes.csv, length: 5 cm, laws: [ellipsoid, quartic, supports]}\n"
      "fits limit surfaces and says by how many degrees their motions (v, L omega) are off, for\n"
      "pairs they have seen and for pairs left out. 'supports' needs an object on points.\n"
      "  bristle push push.yaml\n"
      "  bristle push push.yaml --json --plot path.svg");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
