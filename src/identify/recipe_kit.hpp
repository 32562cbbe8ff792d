#pragma once

/// What the recipes share: a curve through samples as a Problem, a fit with its confidence, and the
/// telling of what was found.

#include <functional>
#include <map>
#include <optional>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/force_match.hpp"
#include "bristle/identify/linear.hpp"
#include "bristle/identify/recipe.hpp"
#include "bristle/identify/recording.hpp"
#include "bristle/identify/watch.hpp"

namespace bristle::recipes {

/// y_k ≈ model(k, p), one residual per sample, with derivatives from the formula itself.
class CurveFit final : public Problem {
 public:
  /// Returns the model at sample k; fills `by` with its derivatives by p unless it is empty.
  using Model =
      std::function<double(std::size_t k, std::span<const double> p, std::span<double> by)>;

  CurveFit(std::vector<Unknown> unknowns, std::vector<double> measured, Model model);

  int residuals() const noexcept override { return static_cast<int>(measured_.size()); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override;
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override;
  std::vector<double> curve(std::span<const double> p) const;

 private:
  std::vector<double> measured_;
  Model model_;
};

struct Fit {
  std::string name{};     ///< "sphere, volumetric"
  std::string formula{};  ///< what was fitted
  std::string unit{};     ///< of the residuals
  Search search{};
  Confidence confidence{};
  std::vector<Estimate> derived{};  ///< that follow from the parameters

  double rms() const;
  const Estimate& at(std::string_view parameter) const;
};

/// What would help where a parameter comes out weak or not determined.
using Helps = std::map<std::string, std::string>;

/// How a name, formula and unit go with a fit.
struct FitLabel {
  std::string name{}, formula{}, unit{"N"};
  std::string file{};  ///< of the data, for what is refused
  Helps helps{};
};
/// Adds it to the reasons.
void add_helps(const Helps& helps, Fit& fit);

/// Least squares from several starts, profile intervals. InputError where samples are not more than
/// unknowns; SearchStopped where the watch says so.
Fit fitted(const FitLabel& label, const Problem& problem, Watch& watch,
           const SearchOptions& options = {});
/// Linear least squares; intervals widened as confidence_of does where residuals follow one
/// another. `units` of the parameters.
Fit fitted(const FitLabel& label, const LinearProblem& problem,
           const std::vector<std::string>& units);

/// How sure a linear fit is, judged as any other.
Confidence linear_confidence(const LinearProblem& problem, const LinearFit& solved,
                             const std::vector<std::string>& units);

/// A quantity f(x), monotone, of an estimate x: value, standard error and interval follow.
Estimate derived_from(const Estimate& x, const std::function<double(double)>& f, std::string name,
                      std::string unit);

/// What a recipe found. The first fits are the answer; others stand beside it.
struct Findings {
  std::string recipe{}, title{}, source{};
  std::vector<Fit> fits{};
  std::size_t answers = 1;                 ///< how many of the fits
  std::vector<std::string> notes{};        ///< what a reader must know about these results
  std::vector<std::string> assumptions{};  ///< under which they hold
  std::vector<Recording> recordings{};     ///< as they were used: files and steps
  std::vector<PageTable> tables{};
  std::vector<Figure> figures{};
};
RecipeResult told(const Findings& findings);

/// Measured points with curves through them, and the residuals (curve − measured) below.
Figure curve_figure(const std::string& title, const std::string& x_label,
                    const std::string& y_label, const std::vector<double>& x,
                    const std::vector<double>& y, std::vector<Series> curves);

/// The recordings of `data`, each with these columns (InputError naming the missing one).
std::vector<Recording> read_data(const Document& document, std::span<const Role> roles,
                                 std::initializer_list<std::string_view> needed);

/// "rig.csv", "rig.csv and 2 more".
std::string files_of(const std::vector<Recording>& recordings);

/// The speed: the column `slip`, or central differences of the position (Boos 3.8).
void require_slip(Recording& recording);

/// Friction over load, sample by sample, so that the larger values are positive; InputError at the
/// first sample without load.
std::vector<double> friction_ratio(const Recording& recording);

/// The parameter of a law that a key of the file names; InputError that points to `node`.
const Parameter& named_parameter(const AnyLaw& law, const std::string& key, const Node& node);
/// A law with the parameters of the map `known`. Orders such as μ_s ≥ μ_k are not asked for: the
/// other one of the two may be what is sought.
AnyLaw known_law(const std::string& name, const Node& known);
/// Holds the parameters of a law that the map `known` names, and its numerical ones.
ForceMatchOptions holding(const AnyLaw& law, const Node& known);

/// Smallest and largest of a list.
std::pair<double, double> range_of(const std::vector<double>& values);

}  // namespace bristle::recipes
