#pragma once

/// What a document published, written down: papers/*.yaml, one file per document.
///
///   title: A Regularized Contact Model …
///   authors: Gonthier, McPhee, Lange and Piedbœuf
///   year: 2004
///   items:
///     - id: gonthier-fig-5
///       where: Figure 5, Table I
///       title: Bowden and Leben's experiment at 0.05 m/s
///       data:
///         slow: {run: {scenario: bowden-leben, set: {speed: 0.05 m/s}}}
///       numbers:
///         - {name: first peak, of: slow.peak_friction, unit: N, published: 1.50, note: μ_S f_n}
///       figure:
///         panels:
///           - {x: Time (s), y: Force (N), curves: [{x: slow.t, y: slow.F}]}
///
/// One file per document, because the items of a document share its conventions and misprints and
/// are read side by side with it.
///
/// A number is judged against what was printed, by default to half a unit of the last printed
/// digit. `corrected` with `why` is what the print should say; `exact` with `missing` what our
/// reading gives where print leaves something open. `correction` and `missing` of an item concern
/// all of it. An item that judges nothing must say what is missing: there is no silence.
///
/// A value whose digits stand in the document names the place: `print: Table 3.2`. Any other says
/// what it stands on instead: `basis: closed form`. Only the first are counted as printed numbers.
///
/// Explanations have their numbers computed: 'converged it is {1e3*last(x):.4f} mm'.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bristle/papers/expression.hpp"
#include "bristle/papers/source.hpp"

namespace bristle::papers {

/// A printed number: "7.89e-3" is known to half a unit of its last digit.
struct Printed {
  std::string text{};
  double value = 0, precision = 0;
};
/// InputError unless it is a decimal number.
Printed read_printed(const std::string& text, const Fault& where);

struct Number {
  enum class Claim {
    equal,     ///< `published`: a value
    at_most,   ///< `at_most`: a bound
    at_least,  ///< `at_least`
    holds,     ///< `holds`: a sentence, which is true if the expression is not 0
    shown,     ///< `shown`: a sentence; the number is there for the reader and is not judged
  };
  std::string name{}, unit{}, note{};
  std::string says{};   ///< how print puts it, where that is no number: "remains constant"
  std::string place{};  ///< `print`: where the digits of the value stand in the document
  std::string basis{};  ///< what the value stands on, if its digits are not in print
  Expression of{"0"};
  Claim claim = Claim::equal;
  Printed published{};  ///< for sentences: the text alone
  std::optional<Printed> corrected{}, exact{};
  std::string why{}, missing{};
  bool again = false;       ///< a number that another row has as well, under another reading
  std::string tolerance{};  ///< as written: "0.01" in the unit, "2 %" of the value; empty: digits
};
/// What a number counts as.
enum class Count {
  printed,    ///< its digits stand in the document, and no other row has it already
  apart,      ///< closed forms, bounds of ours, words read as a number, inputs that come back
  statement,  ///< sentences, and second readings of a printed number
};
Count count_as(const Number& number);
/// What a value may stand on besides print: "closed form", "threshold", "input", "words".
const std::vector<std::string>& number_bases();

struct Curve {
  std::string label{}, style{};
  Expression x{"0"}, y{"0"};
};
struct FigurePanel {
  std::string title{}, x{}, y{};
  bool x_log = false, y_log = false;
  std::optional<double> from{}, to{};  ///< the stretch of x that the original shows
  std::vector<Curve> curves{};
};

struct NamedSource {
  std::string name;
  std::shared_ptr<const Source> source;
};

struct Item {
  std::string id{}, where{}, title{}, text{};
  std::vector<NamedSource> sources{};
  std::vector<Number> numbers{};
  std::vector<FigurePanel> panels{};
  std::string caption{};
  std::string correction{}, missing{};
  std::string declaration{};  ///< everything above as it was written, for the cache
};

struct Paper {
  std::string name{}, title{}, authors{}, text{};
  int year = 0;
  std::vector<Item> items{};
};

/// InputError with file and line.
/// `data` is a folder with measurements of others, which do not ship; empty: there is none.
Paper read_paper(const Document& document, std::string name, const std::string& data = "");
/// The documents that ship, in the order of their years, or those of a folder.
std::vector<Paper> builtin_papers(const std::string& data = "");
std::vector<Paper> read_papers(const std::string& folder, const std::string& data = "");

}  // namespace bristle::papers
