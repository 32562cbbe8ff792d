#include "bristle/identify/toss_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bristle/core/parallel.hpp"
#include "bristle/solve/world_step.hpp"

namespace bristle {
namespace {

/// From the recorded velocity to that at the time of the sample.
Vector3 velocity_at_sample(const Toss& toss, const TossModel& model) {
  const double half = model.box.gravity * toss.step / 2;
  const double fall = model.velocity == Difference::backward  ? half
                      : model.velocity == Difference::forward ? -half
                                                              : 0;
  return toss.velocity.front() - Vector3(0, 0, fall);
}

World world_of(const Toss& toss, const TossModel& model) {
  World world;
  world.gravity = {0, 0, -model.box.gravity};
  RigidBody box{.name = "box", .shape = Box{model.box.edges}};
  box.mass.mass = model.box.mass;
  box.mass.inertia = model.inertia.asDiagonal();
  box.pose = toss.pose.front();
  box.velocity = velocity_at_sample(toss, model);
  box.spin = toss.spin.front();
  RigidBody plane{.name = "plane", .shape = HalfSpace{}, .fixed = true};
  plane.pose.position = {0, 0, model.box.plane};
  ContactPair pair{.a = world.add(std::move(box)), .b = world.add(std::move(plane))};
  pair.normal.set("k", model.contact.stiffness);
  pair.normal.set("e", model.contact.e);
  pair.friction = AnyLaw("coulomb");
  pair.friction.set("mu_k", model.contact.mu);
  world.pairs.push_back(std::move(pair));
  return world;
}

}  // namespace

std::vector<Pose> predict(const Toss& toss, const TossModel& model) {
  WorldStepper stepper(world_of(toss, model));
  const auto steps = static_cast<int>(std::ceil(toss.step / model.step - 1e-9));
  std::vector<Pose> poses = {toss.pose.front()};
  while (poses.size() < toss.size()) {
    for (int i = 0; i < steps; ++i) stepper.step(toss.step / steps);
    poses.push_back(stepper.pose(0));
  }
  return poses;
}

TossError prediction_error(const Toss& toss, const TossModel& model) {
  const std::vector<Pose> poses = predict(toss, model);
  TossError error;
  for (std::size_t k = 1; k < poses.size(); ++k) {
    error.position += (poses[k].position - toss.pose[k].position).norm();
    error.rotation += poses[k].rotation.angularDistance(toss.pose[k].rotation);
  }
  const auto n = static_cast<double>(poses.size() - 1);
  return {error.position / n, error.rotation / n};
}

std::vector<TossError> prediction_errors(std::span<const Toss> tosses, const TossModel& model,
                                         int threads, Watch* watch) {
  std::vector<TossError> errors(tosses.size());
  in_parallel(tosses.size(), threads, [&](std::size_t i) {
    if (watch == nullptr || watch->goes_on()) errors[i] = prediction_error(tosses[i], model);
  });
  if (watch != nullptr && watch->stopped()) {
    throw SearchStopped("stopped in the predictions of tosses");
  }
  return errors;
}

double prediction_cost(std::span<const Toss> tosses, const TossModel& model, int threads,
                       Watch* watch) {
  const double edge = model.box.edges.mean();
  double sum = 0;
  for (const TossError& e : prediction_errors(tosses, model, threads, watch)) {
    sum += e.position / edge + e.rotation;
  }
  return sum / static_cast<double>(tosses.size());
}

ContactMatch match_contact(std::span<const Toss> tosses, TossModel model, int threads,
                           Watch* watch) {
  ContactMatch match{.contact = model.contact};
  // Steps halve, so that points come again: none is simulated twice.
  std::map<std::pair<double, double>, double> known;
  const auto cost_of = [&](double mu, double e) {
    const auto [found, fresh] = known.try_emplace({mu, e}, 0.0);
    if (!fresh) return found->second;
    ++match.evaluations;
    model.contact.mu = mu;
    model.contact.e = e;
    return found->second = prediction_cost(tosses, model, threads, watch);
  };
  double mu = model.contact.mu, e = model.contact.e;
  match.cost = match.start_cost = cost_of(mu, e);
  for (double scale = 1; scale > 0.1;) {
    const double dmu = 0.04 * scale, de = 0.1 * scale;
    const std::array<std::array<double, 2>, 4> around = {
        {{mu + dmu, e}, {mu - dmu, e}, {mu, e + de}, {mu, e - de}}};
    bool better = false;
    for (const auto& [m, r] : around) {
      if (m < 0 || r < 0.01 || r > 1) continue;
      if (const double cost = cost_of(m, r); cost < match.cost) {
        match.cost = cost;
        mu = m;
        e = r;
        better = true;
      }
    }
    if (!better) scale /= 2;
  }
  match.contact.mu = mu;
  match.contact.e = e;
  return match;
}

}  // namespace bristle
