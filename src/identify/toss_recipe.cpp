#include "bristle/identify/toss_recipe.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

constexpr double scales_agree = 0.01;  // of free fall and rest height
constexpr std::size_t least_impacts = 8;

std::vector<double> of_impacts(std::span<const CornerImpact> impacts,
                               const std::function<double(const CornerImpact&)>& number) {
  std::vector<double> values;
  for (const CornerImpact& impact : impacts) values.push_back(number(impact));
  return values;
}

std::vector<double> sliding_ratios(std::span<const CornerImpact> impacts) {
  std::vector<double> ratios;
  for (const CornerImpact& impact : impacts) {
    if (impact.slides()) ratios.push_back(impact.impulse_ratio());
  }
  return ratios;
}

/// 1/(1/m + (r × n)ᵀ I⁻¹ (r × n)) of the corner, n upright.
double effective_mass(const CornerImpact& impact, const TossedBox& box, const Vector3& inertia) {
  const Vector3 lever = impact.rotation.conjugate() * impact.arm.cross(Vector3::UnitZ());
  return 1 / (1 / box.mass + lever.cwiseQuotient(inertia).dot(lever));
}

/// What the columns mean; spins are in world axes afterwards.
TossOddities examine(std::vector<Toss>& tosses, const TossedBox& box,
                     const BootstrapOptions& bootstrap) {
  TossOddities odd;
  odd.spin = examine_spin(tosses);
  odd.velocity = examine_velocity(tosses);
  if (odd.spin.frame() == SpinFrame::body) spin_to_world(tosses);
  odd.free_fall = median_of(free_falls(tosses, box), bootstrap);
  odd.rest_ratio = median_of(rest_ratios(tosses, box), bootstrap);
  const double fall_ratio = -odd.free_fall.value / box.gravity;
  const bool off = std::abs(fall_ratio - 1) > 0.005 && std::abs(odd.rest_ratio.value - 1) > 0.005;
  if (off && std::abs(fall_ratio - odd.rest_ratio.value) < scales_agree) {
    odd.scale = odd.rest_ratio.value;
  }
  return odd;
}

ImpactFindings findings(std::span<const CornerImpact> corners, const TossedBox& box,
                        const Vector3& inertia, const BootstrapOptions& options) {
  ImpactFindings found;
  found.restitution =
      median_of(of_impacts(corners, [](const auto& i) { return i.restitution(); }), options);
  for (std::size_t j = 0; j < found.by_sample.size(); ++j) {
    found.by_sample[j] =
        median_of(of_impacts(corners, [j](const auto& i) { return i.restitution_by(j); }), options);
    found.by_samples_alone[j] = median_of(
        of_impacts(corners, [j](const auto& i) { return i.restitution_between(j); }), options);
  }
  found.friction = median_of(sliding_ratios(corners), options);
  found.samples = of_impacts(corners, [](const auto& i) { return double(i.samples); });
  found.effective_mass = median_value(
      of_impacts(corners, [&](const auto& i) { return effective_mass(i, box, inertia); }));
  return found;
}

PredictionFindings judged(const NamedContact& by, std::vector<TossError> errors,
                          const BootstrapOptions& options) {
  std::vector<double> position, rotation;
  for (const TossError& e : errors) {
    position.push_back(e.position);
    rotation.push_back(e.rotation);
  }
  return {by,
          std::move(errors),
          mean_of(position, options),
          median_of(position, options),
          mean_of(rotation, options),
          median_of(rotation, options)};
}

PredictionGain gain_of(const PredictionFindings& ours, const PredictionFindings& other,
                       const BootstrapOptions& options) {
  std::vector<double> position, rotation;
  for (std::size_t i = 0; i < ours.errors.size(); ++i) {
    position.push_back(other.errors[i].position - ours.errors[i].position);
    rotation.push_back(other.errors[i].rotation - ours.errors[i].rotation);
  }
  return {ours.by.name, other.by.name, mean_of(position, options), mean_of(rotation, options)};
}

/// Friction and restitution from the tosses that are not held out, and predictions of the others.
void predict_held_out(const TossTask& task, std::span<const Toss> tosses,
                      const BootstrapOptions& options, TossResult& result, Watch* watch) {
  const auto stage = [&](const std::string& what) {
    if (watch != nullptr) watch->begin({.what = what});
  };
  const auto training = static_cast<std::size_t>(result.training);
  const std::span<const Toss> known = tosses.first(training), rest = tosses.subspan(training);
  if (rest.empty()) return;
  const std::vector<CornerImpact> corners =
      first_impacts(known, result.box, {.least_jump = result.least_jump});
  const ImpactFindings found = findings(corners, result.box, result.box.solid_inertia(), options);
  const double factor = median_value(
      of_impacts(corners, [&](const auto& i) { return i.inertia_factor(result.box); }));
  TossModel model{
      .box = result.box,
      .inertia = factor * result.box.solid_inertia(),
      .contact = {.mu = found.friction.value, .e = std::clamp(found.restitution.value, 0.01, 1.0)},
      .velocity = result.odd.velocity.kind()};
  std::vector<NamedContact> all = {{"first impacts", model.contact}};
  if (task.match > 0) {
    const auto matched = std::min(training, static_cast<std::size_t>(task.match));
    stage("matching whole tosses");
    result.match = match_contact(known.first(matched), model, task.threads, watch);
    all.push_back({"matched to whole tosses", result.match.contact});
  }
  all.insert(all.end(), task.compare.begin(), task.compare.end());
  for (const NamedContact& contact : all) {
    model.contact = contact.contact;
    stage("predicting tosses by " + contact.name);
    result.predictions.push_back(
        judged(contact, prediction_errors(rest, model, task.threads, watch), options));
  }
  const std::size_t own = all.size() - task.compare.size();
  for (std::size_t i = own; i < all.size(); ++i) {
    result.gains.push_back(gain_of(result.predictions[own - 1], result.predictions[i], options));
  }
  model.contact = all.front().contact;
  model.contact.stiffness *= 10;
  std::vector<double> stiffer;
  for (const TossError& e : prediction_errors(rest, model, task.threads, watch)) {
    stiffer.push_back(e.position);
  }
  result.stiffness_effect =
      mean_value(stiffer) / result.predictions.front().position_mean.value - 1;
}

std::vector<double> divided(std::vector<double> values, double by) {
  for (double& x : values) x /= by;
  return values;
}

}  // namespace

TossResult identify_tosses(const TossTask& task, Watch* watch) {
  const BootstrapOptions options{.seed = task.seed};
  std::vector<Toss> tosses = task.tosses;
  TossResult result;
  result.odd = examine(tosses, task.box, options);
  result.box = task.box;
  if (result.odd.scale != 1) {
    result.box.edges *= result.odd.scale;
    result.box.gravity = -result.odd.free_fall.value;
  }
  result.least_jump = least_jump(tosses, result.box);
  result.corners = first_impacts(tosses, result.box, {.least_jump = result.least_jump});
  if (result.corners.size() < least_impacts) {
    throw InputError({.message = "too few first impacts on one clear corner, between flights that "
                                 "can be fitted",
                      .file = task.file,
                      .value = std::to_string(result.corners.size()),
                      .expected = "at least " + std::to_string(least_impacts)});
  }
  result.odd.depth =
      median_of(of_impacts(result.corners, [](const auto& i) { return i.depth; }), options);
  result.odd.inertia_factor = median_of(
      of_impacts(result.corners, [&](const auto& i) { return i.inertia_factor(result.box); }),
      options);
  result.impacts = findings(result.corners, result.box,
                            result.odd.inertia_factor.value * result.box.solid_inertia(), options);
  result.slides = face_slides(tosses, result.box);
  result.face_friction = median_of(divided(result.slides, task.box.gravity), options);
  result.face_friction_in_record =
      median_of(divided(result.slides, -result.odd.free_fall.value), options);
  // A half-wave of a spring is over within the jump.
  result.longest_contact = median_value(result.impacts.samples) * tosses.front().step;
  result.least_stiffness =
      result.impacts.effective_mass * std::pow(std::numbers::pi / result.longest_contact, 2);
  result.training =
      static_cast<int>(std::lround((1 - task.held_out) * static_cast<double>(tosses.size())));
  predict_held_out(task, tosses, options, result, watch);
  return result;
}

RecipeResult run_tosses(const Document& document, Watch& watch) {
  const TossTask task = read_tosses(document);
  document.finish();
  return toss_report(task, identify_tosses(task, &watch));
}

}  // namespace bristle
