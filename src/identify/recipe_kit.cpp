#include "recipe_kit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "bristle/identify/prepare.hpp"
#include "estimate_report.hpp"

namespace bristle::recipes {

// ---- fits ---------------------------------------------------------------------------------------

CurveFit::CurveFit(std::vector<Unknown> unknowns, std::vector<double> measured, Model model)
    : measured_(std::move(measured)), model_(std::move(model)) {
  unknowns_ = std::move(unknowns);
}

bool CurveFit::evaluate(std::span<const double> p, std::span<double> r) const {
  for (std::size_t k = 0; k < measured_.size(); ++k) r[k] = model_(k, p, {}) - measured_[k];
  return std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); });
}

bool CurveFit::derivatives(std::span<const double> p, std::span<double> r,
                           std::span<double> by) const {
  const std::size_t m = p.size();
  for (std::size_t k = 0; k < measured_.size(); ++k) {
    r[k] = model_(k, p, by.subspan(k * m, m)) - measured_[k];
  }
  return std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); });
}

std::vector<double> CurveFit::curve(std::span<const double> p) const {
  std::vector<double> y(measured_.size());
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = model_(k, p, {});
  return y;
}

double Fit::rms() const { return std::sqrt(search.cost / std::max(1, confidence.samples)); }

const Estimate& Fit::at(std::string_view parameter) const {
  for (const auto* list : {&confidence.parameters, &derived}) {
    for (const Estimate& e : *list) {
      if (e.name == parameter) return e;
    }
  }
  throw std::out_of_range(fmt::format("{}: no parameter {}", name, parameter));
}

namespace {

/// As many parameters as samples fit anything exactly: nothing is left to judge them by.
void require_freedom(const FitLabel& label, std::size_t samples, std::size_t unknowns) {
  if (samples > unknowns) return;
  throw InputError(
      {.message = fmt::format("{}: {} samples for {} parameters", label.name, samples, unknowns),
       .file = label.file,
       .expected = "more samples than parameters"});
}

}  // namespace

Fit fitted(const FitLabel& label, const Problem& problem, Watch& watch,
           const SearchOptions& options) {
  require_freedom(label, static_cast<std::size_t>(problem.residuals()), problem.unknowns().size());
  Fit fit{.name = label.name, .formula = label.formula, .unit = label.unit};
  const WatchedProblem watched(problem, watch);
  const std::string unit = label.unit == "1" ? "" : label.unit;
  const auto rms = [&](double cost) { return std::sqrt(cost / problem.residuals()); };
  watch.begin({.what = label.name, .of = options.starts, .unit = unit});
  SearchOptions counted = options;
  counted.progress = [&](int done, double lowest) {
    watch.count(done, std::max(done, options.starts), rms(lowest), 0);
    return watch.goes_on();
  };
  fit.search = find_minimum(watched, counted);
  watch.begin({.what = "profiles of " + label.name, .lowest = rms(fit.search.cost), .unit = unit});
  if (!watch.stopped()) {
    fit.confidence = confidence_of(watched, fit.search, {.least_squares = {.tolerance = 1e-10}});
  }
  if (watch.stopped()) throw SearchStopped(fmt::format("stopped in the fit '{}'", label.name));
  add_helps(label.helps, fit);
  return fit;
}

void add_helps(const Helps& helps, Fit& fit) {
  for (Estimate& e : fit.confidence.parameters) {
    if (const auto help = helps.find(e.name); help != helps.end()) add_help(help->second, e);
  }
}

namespace {

/// Xθ − y as a Problem, so that its confidence is judged as any other.
class LinearResiduals final : public Problem {
 public:
  LinearResiduals(const LinearProblem& problem, const std::vector<std::string>& units)
      : problem_(problem) {
    for (std::size_t j = 0; j < units.size(); ++j) {
      const double far = std::numeric_limits<double>::max();
      unknowns_.push_back({.name = problem.names[j],
                           .unit = units[j],
                           .low = -far,
                           .high = far,
                           .usual_low = 0,
                           .usual_high = 0});
    }
  }
  int residuals() const noexcept override { return static_cast<int>(problem_.samples()); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    const Eigen::Map<const Eigen::VectorXd> theta(p.data(), static_cast<Eigen::Index>(p.size()));
    Eigen::Map<Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())) =
        problem_.regressors * theta - problem_.measured;
    return true;
  }
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Rows>(by.data(), problem_.regressors.rows(), problem_.regressors.cols()) =
        problem_.regressors;
    return evaluate(p, r);
  }

 private:
  const LinearProblem& problem_;
};

}  // namespace

namespace {

Search search_of(const LinearFit& solved) {
  Search search;
  search.p.assign(solved.estimate.begin(), solved.estimate.end());
  search.x = search.p;
  search.cost = solved.residuals.squaredNorm();
  return search;
}

}  // namespace

Confidence linear_confidence(const LinearProblem& problem, const LinearFit& solved,
                             const std::vector<std::string>& units) {
  Search search = search_of(solved);
  return confidence_of(LinearResiduals(problem, units), search, {.profile = false});
}

Fit fitted(const FitLabel& label, const LinearProblem& problem,
           const std::vector<std::string>& units) {
  require_freedom(label, static_cast<std::size_t>(problem.samples()), problem.names.size());
  const LinearFit solved = fit_linear(problem);
  Fit fit{.name = label.name, .formula = label.formula, .unit = label.unit};
  fit.search = search_of(solved);
  fit.confidence = linear_confidence(problem, solved, units);
  add_helps(label.helps, fit);
  return fit;
}

Estimate derived_from(const Estimate& x, const std::function<double(double)>& f, std::string name,
                      std::string unit) {
  Estimate y{.name = std::move(name), .unit = std::move(unit), .value = f(x.value)};
  const double h = std::max(1e-6 * std::abs(x.value), 1e-300);
  y.se = std::abs(f(x.value + h) - f(x.value - h)) / (2 * h) * x.se;
  const Interval& i = interval_of(x);
  y.wald = {f(i.low), f(i.high), i.open_low, i.open_high};
  if (y.wald.low > y.wald.high) {
    std::swap(y.wald.low, y.wald.high);
    std::swap(y.wald.open_low, y.wald.open_high);
  }
  y.verdict = x.verdict;
  y.reason = "from " + x.name;
  return y;
}

// ---- telling ------------------------------------------------------------------------------------

namespace {

std::string rms_text(const Fit& fit) {
  return fmt::format("{:.4g}{}", fit.rms(), fit.unit == "1" ? "" : " " + fit.unit);
}

OrderedJson json_of_fit(const Fit& fit) {
  const Confidence& c = fit.confidence;
  OrderedJson json{{"name", fit.name},
                   {"formula", fit.formula},
                   {"parameters", json_of(c.parameters)},
                   {"cost", fit.search.cost},
                   {"rms", fit.rms()}};
  json.update(json_of(c));
  if (!fit.derived.empty()) json["derived"] = json_of(fit.derived);
  if (!fit.search.starts.empty()) json["starts"] = json_of_starts(fit.search);
  return json;
}

/// Parameters of the fits that are the answer, and what follows from them.
std::vector<Estimate> answers_of(const Findings& f) {
  std::vector<Estimate> all;
  for (std::size_t k = 0; k < std::min(f.answers, f.fits.size()); ++k) {
    const Fit& fit = f.fits[k];
    all.insert(all.end(), fit.confidence.parameters.begin(), fit.confidence.parameters.end());
    all.insert(all.end(), fit.derived.begin(), fit.derived.end());
  }
  return all;
}

std::string json_text(const Findings& f) {
  OrderedJson json{{"recipe", f.recipe}, {"title", f.title}};
  json.update(json_of_fit(f.fits.front()));
  json["parameters"] = json_of(answers_of(f));
  OrderedJson fits = OrderedJson::array(), data = OrderedJson::array();
  for (const Fit& fit : f.fits) fits.push_back(json_of_fit(fit));
  for (const Recording& r : f.recordings) {
    data.push_back({{"file", r.file}, {"samples", r.size()}, {"steps", r.steps}});
  }
  json["fits"] = fits;
  json["notes"] = f.notes;
  json["assumptions"] = f.assumptions;
  json["data"] = data;
  return json.dump(1) + "\n";
}

std::string plain_text(const Findings& f) {
  std::string text = f.title + "\n";
  for (const Fit& fit : f.fits) {
    text += fmt::format("{}: {}, rms {}\n", fit.name, fit.formula, rms_text(fit));
    text += estimate_lines(fit.confidence.parameters) + estimate_lines(fit.derived);
  }
  for (const std::string& note : f.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

Section section_of(const Fit& fit) {
  Section section{.title = fit.name};
  section.paragraphs = {
      fmt::format("{}. Residuals {} rms over {} samples; {}.", fit.formula, rms_text(fit),
                  fit.confidence.samples,
                  fit.confidence.whiteness_p > 0.01
                      ? "neighbours do not correlate"
                      : fmt::format("neighbours correlate by {:.2f}, intervals are wider by {:.2f}",
                                    fit.confidence.whiteness, fit.confidence.widening))};
  if (!fit.search.starts.empty()) {
    section.paragraphs.back() += " " + agreement_words(fit.search);
  }
  section.tables.push_back(estimate_table(fit.confidence.parameters));
  if (!fit.derived.empty()) section.tables.push_back(estimate_table(fit.derived));
  if (PageTable table = correlation_table(fit.confidence); !table.rows.empty()) {
    section.paragraphs.push_back(rank_words(fit.confidence));
    section.tables.push_back(std::move(table));
  }
  return section;
}

Section start_section(const Findings& f) {
  Section section{.title = "Starts"};
  for (const Fit& fit : f.fits) {
    if (fit.search.starts.size() < 2) continue;
    Figure figure = start_figure(fit.search, fit.confidence.samples, fit.unit);
    figure.title = fit.name + ": " + agreement_words(fit.search);
    section.figures.push_back(std::move(figure));
  }
  return section;
}

ReportPage page_of(const Findings& f) {
  ReportPage page{.title = f.title,
                  .subtitle = fmt::format("recipe {}, after {}", f.recipe, f.source)};
  for (const Estimate& e : answers_of(f)) {
    page.headlines.push_back({.label = e.name,
                              .value = fmt::format("{:.4g}", e.value),
                              .unit = e.unit == "1" ? "" : e.unit,
                              .note = fmt::format("± {:.2g}, {}", e.se, to_string(e.verdict)),
                              .status = e.verdict == Verdict::determined ? Headline::Status::good
                                                                         : Headline::Status::warn});
  }
  for (const Fit& fit : f.fits) page.sections.push_back(section_of(fit));
  page.sections.push_back(
      {.title = "Data and fit", .paragraphs = f.notes, .tables = f.tables, .figures = f.figures});
  Section profiles{.title = "Profiles", .paragraphs = {profile_words()}};
  for (const Fit& fit : f.fits) {
    Figure figure = profile_figure(fit.confidence, fit.search.cost);
    figure.title = fit.name;
    if (!figure.panels.empty()) profiles.figures.push_back(std::move(figure));
  }
  if (!profiles.figures.empty()) page.sections.push_back(std::move(profiles));
  if (Section starts = start_section(f); !starts.figures.empty()) {
    page.sections.push_back(std::move(starts));
  }
  Section basis{.title = "What this rests on", .paragraphs = f.assumptions};
  for (const Recording& r : f.recordings) {
    for (std::string& step : step_words(r)) basis.paragraphs.push_back(std::move(step));
  }
  page.sections.push_back(std::move(basis));
  return page;
}

}  // namespace

RecipeResult told(const Findings& findings) {
  return {plain_text(findings), json_text(findings), page_of(findings)};
}

Figure curve_figure(const std::string& title, const std::string& x_label,
                    const std::string& y_label, const std::vector<double>& x,
                    const std::vector<double>& y, std::vector<Series> curves) {
  Figure figure{.title = title};
  Panel data{.x_label = x_label,
             .y_label = y_label,
             .series = {{.label = "measured", .x = x, .y = y, .style = Series::Style::points}}};
  Panel residuals{.x_label = x_label, .y_label = "Residual, " + y_label};
  for (Series& curve : curves) {
    Series rest{.label = curve.label, .x = x, .y = y, .style = Series::Style::points};
    for (std::size_t k = 0; k < y.size(); ++k) rest.y[k] = curve.y[k] - y[k];
    residuals.series.push_back(std::move(rest));
    data.series.push_back(std::move(curve));
  }
  figure.panels = {std::move(data), std::move(residuals)};
  return figure;
}

// ---- data ---------------------------------------------------------------------------------------

std::vector<Recording> read_data(const Document& document, std::span<const Role> roles,
                                 std::initializer_list<std::string_view> needed) {
  std::vector<Recording> all =
      read_recordings(document["data"].required("a recording, or a list of them"), roles);
  tell_columns(all, document["data"]);
  for (const Recording& recording : all) {
    for (const std::string_view role : needed) static_cast<void>(recording.at(role));
  }
  return all;
}

std::string files_of(const std::vector<Recording>& recordings) {
  if (recordings.empty()) return "";
  const std::string& first = recordings.front().file;
  std::size_t others = 0;
  for (const Recording& r : recordings) others += r.file != first;
  return others == 0 ? first : fmt::format("{} and {} more", first, others);
}

void require_slip(Recording& recording) {
  if (recording.has("slip")) return;
  differentiate(recording, "position", "slip", {.points = 3, .degree = 2});
}

std::vector<double> friction_ratio(const Recording& recording) {
  const std::vector<double>&force = recording.at("force"), &load = recording.at("load");
  std::vector<double> ratio(force.size());
  for (std::size_t k = 0; k < ratio.size(); ++k) {
    if (!(load[k] > 0)) {
      Fault fault = recording.fault_at(k, "no load on this sample", "load");
      fault.value = fmt::format("{:g} N", load[k]);
      fault.expected = "more than 0 N; a window leaves the sample out";
      throw InputError(std::move(fault));
    }
    ratio[k] = force[k] / load[k];
  }
  const auto [low, high] = range_of(ratio);
  if (-low > high) {
    for (double& r : ratio) r = -r;
  }
  return ratio;
}

const Parameter& named_parameter(const AnyLaw& law, const std::string& key, const Node& node) {
  if (const Parameter* parameter = law.info().find(key); parameter != nullptr) return *parameter;
  std::vector<std::string> names;
  for (const Parameter& parameter : law.info().parameters) names.emplace_back(parameter.name);
  Fault fault = node.fault(fmt::format("unknown parameter of law '{}'", law.name()));
  fault.expected = one_of(names);
  fault.nearest = nearest_name(key, names);
  throw InputError(std::move(fault));
}

AnyLaw known_law(const std::string& name, const Node& known) {
  AnyLaw law(name);
  for (const auto& [key, node] : known.entries()) {
    const Parameter& parameter = named_parameter(law, key, node);
    law.set(parameter.name, parameter.kind == Kind::flag
                                ? (node.flag() ? 1.0 : 0.0)
                                : node.quantity(written_dimension(parameter)));
  }
  return law;
}

ForceMatchOptions holding(const AnyLaw& law, const Node& known) {
  ForceMatchOptions options;
  // Widths of smoothed kinks are a matter of numerics, not of the rig.
  for (const char* name : {"v_eps", "eps"}) {
    if (law.info().find(name) != nullptr) options.parameters[name].fixed = law.get(name);
  }
  for (const auto& [key, node] : known.entries()) {
    const Parameter* parameter = law.info().find(key);
    if (parameter == nullptr || parameter->kind != Kind::real) continue;
    options.parameters[std::string(parameter->name)].fixed = law.get(parameter->name);
  }
  return options;
}

std::pair<double, double> range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

}  // namespace bristle::recipes
