#include <algorithm>
#include <string>
#include <vector>

#include "bristle/core/names.hpp"
#include "bristle/identify/prepare.hpp"

namespace bristle {
namespace {

constexpr int most_points = 100001;

std::vector<std::string> roles_of(const Node& node) {
  if (!node.is_list()) return {node.text()};
  std::vector<std::string> roles;
  for (const Node& item : node.items()) roles.push_back(item.text());
  return roles;
}

TimeSpan span_of(const Node& node) {
  const std::vector<double> ends = node.quantities(dim::time, 2);
  if (ends[0] < ends[1]) return {ends[0], ends[1]};
  Fault fault = node.fault("it ends before it starts");
  fault.expected = "[start, end]";
  throw InputError(fault);
}

SavitzkyGolay savitzky_golay_of(const Node& step, int derivative) {
  const SavitzkyGolay usual;
  return {.points = step["points"].integer(usual.points, between(3, most_points)),
          .degree = step["degree"].integer(usual.degree, between(0, 12)),
          .derivative = derivative};
}

void take_drift(Recording& recording, const Node& step) {
  const TimeSpan rest = span_of(step["rest"]);
  const Node last = step["last_rest"];
  for (const std::string& role : roles_of(step["drift"])) {
    if (last.exists()) {
      remove_drift(recording, role, rest, span_of(last));
    } else {
      remove_drift(recording, role, rest);
    }
  }
}

void take_low_pass(Recording& recording, const Node& step) {
  const double cutoff = step["cutoff"].quantity(dim::frequency, above(0));
  const int order = step["order"].integer(4, between(1, 32));
  for (const std::string& role : roles_of(step["low_pass"]))
    low_pass(recording, role, cutoff, order);
}

void take_smooth(Recording& recording, const Node& step) {
  const SavitzkyGolay filter = savitzky_golay_of(step, 0);
  for (const std::string& role : roles_of(step["smooth"])) smooth(recording, role, filter);
}

void take_differentiate(Recording& recording, const Node& step) {
  const SavitzkyGolay filter =
      savitzky_golay_of(step, step["derivative"].integer(1, between(1, 12)));
  differentiate(recording, step["differentiate"].text(), step["to"].text(), filter);
}

void take_resample(Recording& recording, const Node& step) {
  const bool linear = step["method"].word({"cubic", "linear"}, "cubic") == "linear";
  resample(recording, step["resample"].quantity(dim::frequency, above(0)),
           linear ? Interpolation::linear : Interpolation::cubic);
}

void take_decimate(Recording& recording, const Node& step) {
  const std::string filter = step["filter"].word({"iir", "fir", "none"}, "iir");
  decimate(recording, step["decimate"].integer(between(2, 100000)),
           filter == "iir"   ? AntiAlias::iir
           : filter == "fir" ? AntiAlias::fir
                             : AntiAlias::none);
}

void take_still(Recording& recording, const Node& step) {
  const std::string role = step["still"].text();
  count_as_rest(recording, role, step["below"].quantity(recording.dimension(role), above(0)));
}

void take_crop(Recording& recording, const Node& step) { crop(recording, span_of(step["crop"])); }

struct Verb {
  std::string name;
  void (*take)(Recording&, const Node&);
};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      {"crop", take_crop},         {"drift", take_drift},
      {"smooth", take_smooth},     {"differentiate", take_differentiate},
      {"low_pass", take_low_pass}, {"resample", take_resample},
      {"decimate", take_decimate}, {"still", take_still},
  };
  return all;
}

// Asks for no other keys, so that whoever reads the document finds misspelt ones.
void take(Recording& recording, const Node& step) {
  std::vector<std::string> names;
  std::vector<Verb> found;
  for (const Verb& verb : verbs()) {
    names.push_back(verb.name);
    if (step[verb.name].exists()) found.push_back(verb);
  }
  if (found.size() == 1) return found.front().take(recording, step);
  Fault fault = step.fault(found.empty() ? "no such step" : "several steps in one");
  const auto entries = step.entries();
  if (found.empty() && !entries.empty()) {
    fault.value = entries.front().first;
    fault.nearest = nearest_name(fault.value, names);
  }
  fault.expected = one_of(names);
  throw InputError(fault);
}

}  // namespace

void prepare(Recording& recording, const Node& steps) {
  for (const Node& step : steps.items()) take(recording, step);
}

}  // namespace bristle
