#pragma once

/// Where the numbers of an item come from: a few kinds of computation, each written once.
///
///   run:     {scenario: mass-spring, set: {friction.law: lugre}}
///            its columns, metrics and lists, `energy_error`, `impact_t`, `impact_v`, `impact_e`
///   sweep:   {scenario: bowden-leben, over: speed, values: '[0.05, 0.1]', take: {first: 'nth(…)'}}
///            `speed`, and what is taken from each run
///   curve:   {law: classical, set: {v1: 1e-4}, v: 'grid(0, 1e-3, 101)', load: 1}      v, F
///   impact:  {law: hunt-crossley, set: {alpha: 0.2}, v: 'grid(0.1, 4, 40)', mass: 0.454}
///            v, `asked`, `closed` and `integrated` restitution
///   area:    {shape: {disc: {radius: 1}}, law: {name: I00, m: 2, b: 1}, theta: '…', phi: 0}
///            theta, T_x, T_y, M of sliding; moments c001m (of √(x²+y²)), c010, c100, c011, c101
///   overlap: {bodies: […]}              V, A, depth, r_gyr, p_z, s_z and tensors J_V_xx … M_zz
///   table:   {d: 'restitution_d(e)'}    formulas; they see each other and all earlier sources
///   fit:     {model: 'k * d^1.5', data: 'F', parameters: {k: 1e9}}
///            the parameters of the least squares, `rms`, `fitted`
///   measured: {file: emps/emps.csv}     columns of a file of measurements
///   drive:   {file: emps/emps.csv, gain: 35.15, terms: [acceleration, viscous, coulomb, offset]}
///            inverse dynamics of a drive: each term, `se_` before it, and `relative_error`
///
/// Measurements of others do not ship: their files are looked for in a folder that the user names,
/// which is also what `$data` in the settings of a run stands for. Without it such a source is
/// absent.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bristle/io/document.hpp"
#include "bristle/papers/expression.hpp"

namespace bristle::papers {

using Data = std::map<std::string, Values>;

class Source {
 public:
  virtual ~Source() = default;
  /// `earlier` knows the sources before it in the item, as "source.name".
  virtual Data compute(const Lookup& earlier) const = 0;
  /// The shell command that does the same; empty if there is none.
  virtual std::string command() const { return {}; }
  /// The built-in scenario behind it; empty if there is none.
  virtual std::string scenario() const { return {}; }
  /// Why it cannot be computed here, such as a file of measurements that is not there; else empty.
  virtual std::string absent() const { return {}; }
  /// What it depends on besides its declaration and the program, such as the content of a file.
  virtual std::string inputs() const { return {}; }
};

/// From a map with one key, the kind. Reads all of it, so that mistakes come up before any work.
/// `data` is the folder of measurements; it may be empty.
std::shared_ptr<const Source> read_source(const Node& node, const std::string& data = "");
const std::vector<std::string>& source_kinds();

}  // namespace bristle::papers
