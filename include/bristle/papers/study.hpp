#pragma once

/// One scenario under many laws, and what follows from the numbers: studies/*.yaml, one per file.
///
///   title: A mass on a belt
///   scenario: spring-belt
///   laws: [stiction, lugre, brown-mcphee]
///   reference: stiction                       # the one that the others are held against
///   finer: {solver.rtol: 1e-12}               # once more, to know what the numbers are worth
///   groups: {creeping: [brown-mcphee]}
///   quantities:
///     period: {title: Period, unit: s, of: period}
///   findings:
///     - if: min(creeping.period) > reference.period
///       then: 'Laws that creep take longer, by {min(creeping.period)/reference.period-1:.3f}.'
///       else: 'Laws that creep take no longer.'
///   figure:
///     panels: [{x: Time (s), y: Position (m), curves: [{x: t, y: x}]}]
///
/// A quantity is a formula over a run, as the items of papers have them; a law whose run has no
/// such value shows a dash. Formulas of findings see GROUP.QUANTITY, a list over the laws of the
/// group that have it, with `all`, `reference` and `finer` among the groups, and `cost` and `steps`
/// among the quantities. What a sentence says is computed: {formula:format} in it is replaced.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bristle/papers/item.hpp"
#include "bristle/papers/sentence.hpp"
#include "bristle/report/gallery.hpp"

namespace bristle::papers {

struct Quantity {
  std::string key{}, title{}, unit{};
  Expression of{"0"};
};

struct Finding {
  Expression condition{"0"};
  Sentence then_say, else_say;
};

struct Study {
  std::string name{}, title{}, text{}, scenario{}, reference{};
  std::vector<Setting> settings{}, finer{};
  std::map<std::string, std::vector<Setting>> law_settings{};
  std::vector<std::string> laws{};
  std::vector<std::pair<std::string, std::vector<std::string>>> groups{};
  std::vector<Quantity> quantities{};
  std::vector<Finding> findings{};
  std::vector<FigurePanel> panels{};  ///< each with one curve, drawn for every law
  std::vector<std::string> drawn{};   ///< laws in the figure

  /// Of the laws, then of the finer run if there is one.
  std::size_t rows() const noexcept { return laws.size() + (finer.empty() ? 0 : 1); }
  const std::string& law(std::size_t row) const {
    return row < laws.size() ? laws[row] : reference;
  }
  std::vector<Setting> settings_of(std::size_t row) const;
  /// For a shell.
  std::string command(std::size_t row) const;
};

/// What one law does.
struct StudyRow {
  std::string law{}, method{};
  Values values{};               ///< as study.quantities; NaN: the run has none
  double steps = 0, cost = 0;    ///< cost: evaluations of the right-hand side
  std::vector<Series> curves{};  ///< as study.panels
  std::string error{};           ///< why the scenario cannot be run with this law
};

/// InputError with file and line.
Study read_study(const Document& document, std::string name);
std::vector<Study> builtin_studies();
std::vector<Study> read_studies(const std::string& folder);

/// Never throws for what goes wrong in a run: that is its result.
StudyRow compute_row(const Study& study, std::size_t row);

std::string cache_key(const Study& study, std::size_t row, const std::string& program);
std::string to_cache(const StudyRow& row);
std::optional<StudyRow> row_from_cache(const Study& study, const std::string& text);

/// A study with its rows in order.
struct StudyResult {
  const Study* study = nullptr;
  std::vector<StudyRow> rows{};
};

struct Said {
  std::string text{};
  bool holds = false;  ///< the `if` of the finding
};
/// The findings of the file, computed. InputError for a quantity that no run has, or a formula
/// whose laws did not run.
std::vector<Said> findings_of(const StudyResult& result);
/// One sentence for each quantity: its range, who is at the ends, how many are near the reference.
std::vector<std::string> spreads_of(const StudyResult& result);

/// [{"study", "scenario", "reference", "laws": [{"law", "values", "cost", …}], "spread",
/// "findings"}, …]
std::string study_json(const std::vector<StudyResult>& results);
Gallery study_gallery(const std::vector<StudyResult>& results);
/// The rows as a table for a terminal or a page.
PageTable study_table(const StudyResult& result);

}  // namespace bristle::papers
