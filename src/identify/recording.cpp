#include "bristle/identify/recording.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/identify/prepare.hpp"

namespace bristle {
namespace {

constexpr std::size_t fewest_samples = 3;
constexpr double longest_step = 10.0;  // times the median one
constexpr double idle_force = 0.1;     // of the largest: what may be noise where nothing presses

std::size_t index_of(const Recording& recording, std::string_view role) {
  const std::vector<std::string>& roles = recording.roles;
  const auto found = std::find(roles.begin(), roles.end(), role);
  if (found != roles.end()) return static_cast<std::size_t>(found - roles.begin());
  Fault fault = recording.fault("the recording has no such column", role);
  fault.expected = roles.empty() ? "" : one_of(roles);
  fault.nearest = nearest_name(role, roles);
  throw InputError(std::move(fault));
}

void require_no_gap(const Recording& recording) {
  const std::vector<double>& t = recording.t;
  std::vector<double> steps;
  for (std::size_t i = 1; i < t.size(); ++i) steps.push_back(t[i] - t[i - 1]);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (t[i] - t[i - 1] <= longest_step * *middle) continue;
    Fault fault = recording.fault_at(
        i, fmt::format("a gap of {:g} s before t = {:g} s; the usual step is {:g} s",
                       t[i] - t[i - 1], t[i], *middle));
    fault.expected = "windows that leave the gap out, or 'gaps: true'";
    throw InputError(std::move(fault));
  }
}

bool never_changes(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
}

/// A fault of all samples, which names them.
Fault fault_of_all(const Recording& recording, const std::string& what, std::string_view role) {
  const std::vector<int>& lines = recording.lines;
  std::string where;
  if (!lines.empty()) {
    where = fmt::format("{} {} to {}, ", recording.text ? "lines" : "rows", lines.front(),
                        lines.back());
  }
  Fault fault = recording.fault(fmt::format("{} ({}t = {:g} s to {:g} s)", what, where,
                                            recording.t.front(), recording.t.back()),
                                role);
  if (recording.text && !lines.empty()) fault.line = lines.front();
  return fault;
}

}  // namespace

const std::vector<Role>& common_roles() {
  const std::vector<Dimension> places = {dim::length, dim::angle};
  const std::vector<Dimension> speeds = {dim::speed, dim::angular_speed};
  const std::vector<Dimension> accelerations = {dim::acceleration, dim::angular_speed / dim::time};
  static const std::vector<Role> roles = {
      {.name = "position", .dimensions = places, .must_vary = true},
      {.name = "slip", .dimensions = speeds},
      {.name = "acceleration", .dimensions = accelerations},
      {.name = "load", .dimensions = {dim::force}},
      {.name = "force", .dimensions = {dim::force, dim::energy}, .must_vary = true},
      {.name = "reference", .dimensions = places},
      {.name = "command", .dimensions = {dim::voltage, dim::current, dim::force, dim::energy}},
  };
  return roles;
}

bool Recording::has(std::string_view role) const noexcept {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

const std::vector<double>& Recording::at(std::string_view role) const {
  return columns[index_of(*this, role)];
}
std::vector<double>& Recording::at(std::string_view role) { return columns[index_of(*this, role)]; }

const Dimension& Recording::dimension(std::string_view role) const {
  return dimensions[index_of(*this, role)];
}

void Recording::put(std::string_view role, std::vector<double> values, const Dimension& dimension) {
  if (!has(role)) {
    roles.emplace_back(role);
    columns.emplace_back();
    dimensions.emplace_back();
  }
  const std::size_t i = index_of(*this, role);
  columns[i] = std::move(values);
  dimensions[i] = dimension;
}

void Recording::put(std::string_view role, std::vector<double> values) {
  put(role, std::move(values), has(role) ? dimension(role) : dim::none);
}

Fault Recording::fault(std::string message, std::string_view role) const {
  return {.message = std::move(message), .file = file, .key = std::string(role)};
}

Fault Recording::fault_at(std::size_t sample, std::string message, std::string_view role) const {
  const int line = sample < lines.size() ? lines[sample] : 0;
  if (!text) message = fmt::format("row {}: {}", line, message);
  Fault result = fault(std::move(message), role);
  if (text) result.line = line;
  return result;
}

void check_slip(const Recording& recording) {
  const std::vector<double>& slip = recording.at("slip");
  if (!never_changes(slip) || slip.front() != 0.0) return;
  Fault fault = fault_of_all(recording, "the slip is zero all through", "slip");
  fault.expected = "a motion; a sensor that says nothing else is dead";
  throw InputError(std::move(fault));
}

std::string check_load(const Recording& recording) {
  const std::vector<double>&load = recording.at("load"), &force = recording.at("force");
  double most = 0;
  for (const double f : force) most = std::max(most, std::abs(f));
  std::size_t first = load.size(), count = 0;
  for (std::size_t k = 0; k < load.size(); ++k) {
    if (load[k] > 0.0) continue;
    if (std::abs(force[k]) > idle_force * most) {
      Fault fault = recording.fault_at(
          k, fmt::format("a force of {:g} N without load; no law has friction there", force[k]),
          "load");
      fault.value = fmt::format("{:g} N", load[k]);
      fault.expected =
          "more than 0 N; a window leaves the sample out, an offset of the load is "
          "taken out by 'drift'";
      throw InputError(std::move(fault));
    }
    first = std::min(first, k);
    ++count;
  }
  if (count == 0) return "";
  return to_string(recording.fault_at(
      first, fmt::format("{} of {} samples, this one the first, have no load: friction is zero "
                         "there, whatever the parameters",
                         count, load.size())));
}

void check_recording(const Recording& recording, std::span<const Role> roles, bool may_have_gaps) {
  if (recording.size() < fewest_samples) {
    Fault fault = recording.fault(fmt::format("{} samples", recording.size()));
    fault.expected = fmt::format("at least {}", fewest_samples);
    throw InputError(std::move(fault));
  }
  if (!may_have_gaps) require_no_gap(recording);
  for (const Role& role : roles) {
    if (!role.must_vary || !recording.has(role.name)) continue;
    const std::vector<double>& values = recording.at(role.name);
    if (!never_changes(values)) continue;
    Fault fault = fault_of_all(recording, "the column never changes", role.name);
    fault.value = fmt::format("{:g}", values.front());
    fault.expected = "a signal";
    throw InputError(std::move(fault));
  }
  if (!recording.has("load")) return;
  const std::vector<double>& load = recording.at("load");
  if (std::any_of(load.begin(), load.end(), [](double x) { return x > 0.0; })) return;
  Fault fault = fault_of_all(recording, "the load is nowhere above zero", "load");
  fault.expected = "a load that presses the bodies together (a 'gain' of -1 turns its sign)";
  throw InputError(std::move(fault));
}

}  // namespace bristle
