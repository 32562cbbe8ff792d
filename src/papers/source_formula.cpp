// Formulas, and parameters of formulas by least squares.

#include <algorithm>
#include <cmath>

#include "bristle/identify/least_squares.hpp"
#include "bristle/identify/problem.hpp"
#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

class Formulas final : public Source {
 public:
  explicit Formulas(const Node& node) {
    for (const auto& [name, text] : node.entries()) values_.emplace_back(name, formula(text));
  }
  Data compute(const Lookup& earlier) const override {
    Data data;
    for (const auto& [name, expression] : values_) {
      data[name] = expression.evaluate(lookup_in(data, earlier));
    }
    return data;
  }

 private:
  std::vector<std::pair<std::string, Expression>> values_;
};

/// Least squares of model − data over a few parameters, each sought from a start in a range a
/// thousand times smaller to a thousand times larger.
class FitProblem final : public Problem {
 public:
  FitProblem(const Expression& model, Values data, std::vector<std::string> names,
             const Values& starts, Lookup earlier)
      : model_(model),
        data_(std::move(data)),
        names_(std::move(names)),
        earlier_(std::move(earlier)) {
    for (std::size_t j = 0; j < names_.size(); ++j) {
      const double size = 1e3 * std::abs(starts[j]);
      unknowns_.push_back(
          {.name = names_[j], .low = -size, .high = size, .usual_low = -size, .usual_high = size});
    }
  }

  int residuals() const noexcept override { return static_cast<int>(data_.size()); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    const Values fitted = fitted_with(p);
    if (fitted.size() != data_.size()) return false;
    for (std::size_t i = 0; i < r.size(); ++i) {
      r[i] = fitted[i] - data_[i];
      if (!std::isfinite(r[i])) return false;
    }
    return true;
  }
  Values fitted_with(std::span<const double> p) const {
    Data data;
    for (std::size_t j = 0; j < names_.size(); ++j) data[names_[j]] = {p[j]};
    return model_.evaluate(lookup_in(data, earlier_));
  }

 private:
  const Expression& model_;
  Values data_;
  std::vector<std::string> names_;
  Lookup earlier_;
};

class Fit final : public Source {
 public:
  explicit Fit(const Node& node) : model_(formula(node["model"])), data_(formula(node["data"])) {
    for (const auto& [name, start] : node["parameters"].required("names and starts").entries()) {
      names_.push_back(name);
      starts_.push_back(start.number());
    }
  }

  Data compute(const Lookup& earlier) const override {
    const FitProblem problem(model_, data_.evaluate(earlier), names_, starts_, earlier);
    const Coordinates coordinates(problem);
    const Minimum best = minimise(problem, coordinates, coordinates.coordinates(starts_));
    const std::vector<double> p = coordinates.parameters(best.x);
    Data data;
    for (std::size_t j = 0; j < names_.size(); ++j) data[names_[j]] = {p[j]};
    data["fitted"] = problem.fitted_with(p);
    data["rms"] = {std::sqrt(best.cost / static_cast<double>(problem.residuals()))};
    return data;
  }

 private:
  Expression model_, data_;
  std::vector<std::string> names_;
  Values starts_;
};

}  // namespace

SourcePtr read_table(const Node& node, const std::string&) {
  return std::make_shared<const Formulas>(node);
}
SourcePtr read_fit(const Node& node, const std::string&) {
  return std::make_shared<const Fit>(node);
}

}  // namespace bristle::papers::detail
