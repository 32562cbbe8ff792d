#pragma once

/// Prescribed slip: drive a law along a recorded or generated history of slip and load.
///
///   const SlipHistory<1> history = ...;             // t, v, fn (and f_e)
///   const Trace<1> trace = run_prescribed(law, history);
///   trace.force[k];                                 // friction at history.t[k]
///   trace.audit.relative_error;                     // work − stored − dissipated − jumps
///
/// Slip and load are linear between samples. `advance` takes the law's own step with the mean slip
/// of the interval frozen: second order in the sample spacing, stable at any (first order where a
/// falling load makes deflection return, and where a law's page says so). `rk4` is the
/// classical Runge–Kutta method, for smooth laws only.
///
/// A set-valued law needs the holding force f_e wherever |v| is within its band. A hybrid law that
/// comes to rest takes f_e too; without it the stick begins at the friction it had.

#include <map>
#include <string>
#include <vector>

#include "bristle/friction/any_law.hpp"

namespace bristle {

template <int D>
struct SlipHistory {
  std::vector<double> t;                ///< s, increasing
  std::vector<Tangent<double, D>> v;    ///< m/s
  std::vector<double> fn;               ///< N, ≥ 0
  std::vector<Tangent<double, D>> f_e;  ///< N; empty if unknown
  std::string file;                     ///< named in faults
  std::vector<int> lines;               ///< source line of each sample; may be empty
};

struct PrescribedOptions {
  enum class Method { advance, rk4 };
  Method method = Method::advance;
  int substeps = 1;                         ///< steps per sample interval
  std::map<std::string, double> initial{};  ///< initial state by column name; the rest as at rest
};

/// Where the work of friction went, J. Work is ∫F·v dt, integrated on its own.
struct EnergyAudit {
  double work = 0, stored = 0, dissipated = 0;
  double jumps = 0;           ///< lost when a mode changes or a bond snaps
  double load = 0;            ///< taken out by a changing load (negative: put in)
  double relative_error = 0;  ///< |work − stored − dissipated − jumps − load| / largest of them
};

struct ModeEvent {
  double t = 0;
  int mode = 0;  ///< Mode after the change
};

template <int D>
struct Trace {
  std::vector<Tangent<double, D>> force;  ///< N, at each sample
  std::vector<StateColumn> columns;
  std::vector<std::vector<double>> state;        ///< one vector per column
  std::vector<double> work, stored, dissipated;  ///< J, up to each sample
  std::vector<ModeEvent> events;
  EnergyAudit audit;
};

/// Refuses unfit laws, options and histories with InputError; a run whose state is no longer finite
/// is a std::runtime_error that says when.
template <int D>
Trace<D> run_prescribed(const AnyLaw& law, const SlipHistory<D>& history,
                        const PrescribedOptions& options = {});

/// What half the step changes; NaN for a random law, whose draws depend on the steps.
struct StepError {
  double force = 0;  ///< largest difference at the samples, N
  double work = 0;   ///< relative difference of the work of the whole run
};
template <int D>
StepError step_error(const AnyLaw& law, const SlipHistory<D>& history,
                     const PrescribedOptions& options);

extern template Trace<1> run_prescribed(const AnyLaw&, const SlipHistory<1>&,
                                        const PrescribedOptions&);
extern template Trace<2> run_prescribed(const AnyLaw&, const SlipHistory<2>&,
                                        const PrescribedOptions&);
extern template StepError step_error(const AnyLaw&, const SlipHistory<1>&,
                                     const PrescribedOptions&);
extern template StepError step_error(const AnyLaw&, const SlipHistory<2>&,
                                     const PrescribedOptions&);

}  // namespace bristle
