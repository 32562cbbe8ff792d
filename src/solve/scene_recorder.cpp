#include "scene_recorder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/index.hpp"
#include "scene_parts.hpp"

namespace bristle::detail {
namespace {

/// Poses in all frames together, so that a heap of a hundred bodies makes no giant page.
constexpr long most_poses = 60000, least_frames = 120;
constexpr std::size_t most_stages = 400;

}  // namespace

SceneRecorder::SceneRecorder(WorldDynamics& dynamics, const RunOptions& options)
    : f_(dynamics), duration_(options.duration) {
  if (options.frames <= 0) return;
  const World& world = f_.world();
  scene_.parts = scene_parts(world);
  const long moving = std::count_if(scene_.parts.begin(), scene_.parts.end(), Scene::moves);
  const long frames = std::min<long>(
      options.frames, std::max(least_frames, most_poses / std::max<long>(1, moving)));
  // A third of the frames is left for instants, three to a spell.
  count_ = std::max<long>(1, frames * 2 / 3);
  most_instants_ = std::max<std::size_t>(1, at(static_cast<int>(frames / 9)));
  interval_ = duration_ / static_cast<double>(count_);
  y_.resize(at(f_.size()));
  spells_.resize(at(f_.contacts()));
  for (const ContactPair& pair : world.pairs) {
    scene_.pairs.push_back(world.name(pair.a) + " – " + world.name(pair.b));
    signs_.push_back(role_of(world, pair.b) < role_of(world, pair.a) ? -1 : 1);
  }
  touching_.resize(world.pairs.size());
  touched_ = touching_;
  flies_ = std::any_of(world.bodies.begin(), world.bodies.end(),
                       [](const RigidBody& body) { return !body.fixed; });
}

// ---- frames -------------------------------------------------------------------------------------

void SceneRecorder::fill(double t, std::span<const double> y, SceneFrame& frame) const {
  frame.t = t;
  scene_poses(f_, t, y, frame.poses);
  frame.forces.clear();
  for (int i = 0; i < f_.sites(); ++i) {
    const WorldDynamics::Site& s = f_.site(i);
    if (!s.touching) continue;
    const double sign = signs_[at(s.pair)];
    frame.forces.push_back({s.pair, s.at.point, sign * s.fn * s.at.normal,
                            -sign * (s.force[0] * s.basis.e1 + s.force[1] * s.basis.e2)});
  }
  for (int i = 0; i < f_.patches().size(); ++i) {
    const PatchContacts::Pair& pair = f_.patches().pair(i);
    const double sign = signs_[at(pair.index)];
    for (int k = 0; k < pair.count; ++k) {
      const SeenPatch& seen = pair.seen[at(k)];
      frame.forces.push_back({pair.index, seen.patch.surface_centroid,
                              sign * (seen.wrench.force - seen.wrench.friction),
                              sign * seen.wrench.friction});
    }
  }
}

void SceneRecorder::until(Integrator& integrator, double to) {
  // A fixed step shows its end itself: after the next one contacts are what they are then.
  const double slack = f_.stepped() ? 1e-9 * interval_ : 0;
  for (; next_ <= count_ && count_ > 0; ++next_) {
    const double t = next_ == count_ ? duration_ : interval_ * static_cast<double>(next_);
    if (t > to + slack) return;
    integrator.at(t, y_, {});
    f_.look(t, y_);
    fill(t, y_, scene_.frames.emplace_back());
  }
}

void SceneRecorder::follow(double t, std::span<const double> y) {
  if (count_ == 0) return;
  if (next_ == 0) {
    fill(t, y, scene_.frames.emplace_back());
    next_ = 1;
  }
  std::fill(touching_.begin(), touching_.end(), false);
  for (int i = 0; i < f_.contacts(); ++i) {
    const bool touching = f_.touches(i);
    const double fn = i < f_.sites() ? f_.site(i).fn : f_.patches().normal_force(i - f_.sites());
    if (touching) touching_[at(f_.pair_of(i))] = true;
    follow_contact(spells_[at(i)], touching, fn, t, y);
  }
  follow_stage(t);
}

void SceneRecorder::follow_contact(Spell& spell, bool touching, double fn, double t,
                                   std::span<const double> y) {
  if (!touching && !spell.open) return;
  if (!touching) {
    SceneFrame part;
    fill(t, y, part);
    keep(spell, &part);
    spell.open = false;
  } else if (!spell.open) {
    spell.open = true;
    spell.fn = fn;
    fill(t, y, spell.touch);
    spell.peak = spell.touch;
  } else if (fn > spell.fn) {
    spell.fn = fn;
    fill(t, y, spell.peak);
  }
}

/// When there is no more room, every other spell goes, and of those to come too.
void SceneRecorder::keep(const Spell& spell, const SceneFrame* part) {
  if (seen_spells_++ % stride_ != 0) return;
  instants_.push_back({spell.touch, spell.peak});
  if (part != nullptr) instants_.back().push_back(*part);
  if (instants_.size() <= most_instants_) return;
  stride_ *= 2;
  std::size_t i = 0;
  std::erase_if(instants_, [&](const auto&) { return i++ % 2 != 0; });
}

std::vector<SceneFrame> SceneRecorder::merged_frames() {
  std::vector<SceneFrame> list = std::move(scene_.frames);
  for (std::vector<SceneFrame>& some : instants_) {
    std::move(some.begin(), some.end(), std::back_inserter(list));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const SceneFrame& a, const SceneFrame& b) { return a.t < b.t; });
  list.erase(std::unique(list.begin(), list.end(),
                         [](const SceneFrame& a, const SceneFrame& b) { return a.t == b.t; }),
             list.end());
  return list;
}

Scene SceneRecorder::finish(double t, std::span<const double> y) {
  if (count_ == 0) return {};
  if (scene_.frames.back().t < t) fill(t, y, scene_.frames.emplace_back());
  for (const Spell& spell : spells_) {
    if (spell.open) keep(spell, nullptr);
  }
  scene_.frames = merged_frames();
  if (in_stage_) close_stage(t);
  return std::move(scene_);
}

// ---- stages -------------------------------------------------------------------------------------

void SceneRecorder::follow_stage(double t) {
  if (touching_.empty() || (in_stage_ && touching_ == touched_)) return;
  if (in_stage_) close_stage(t);
  touched_ = touching_;
  stage_from_ = t;
  in_stage_ = true;
}

/// Of contacts that chatter only what lasts is told: the rest counts to the stage before it.
void SceneRecorder::close_stage(double t) {
  std::vector<SceneStage>& stages = scene_.stages;
  if (!(t > stage_from_)) return;
  const bool brief = t - stage_from_ < shortest_;
  std::string text = stage_text();
  if (!stages.empty() && (brief || stages.back().text == text)) {
    stages.back().to = t;
    return;
  }
  stages.push_back({stage_from_, t, std::move(text)});
  if (stages.size() <= most_stages) return;
  shortest_ = std::max(2 * shortest_, duration_ / (4 * most_stages));
  std::vector<SceneStage> lasting;
  for (SceneStage& stage : stages) {
    if (lasting.empty() ||
        (stage.to - stage.from >= shortest_ && stage.text != lasting.back().text)) {
      lasting.push_back(std::move(stage));
    } else {
      lasting.back().to = stage.to;
    }
  }
  stages = std::move(lasting);
}

/// Of several pairs the names of those that touch, while there are few.
std::string SceneRecorder::stage_text() const {
  const auto count = std::count(touched_.begin(), touched_.end(), true);
  if (count == 0) return flies_ ? "flight" : "no contact";
  if (touched_.size() == 1) return "contact";
  if (count > 2) return fmt::format("{} pairs in contact", count);
  std::string names;
  for (std::size_t p = 0; p < touched_.size(); ++p) {
    if (touched_[p]) names += (names.empty() ? "" : ", ") + scene_.pairs[p];
  }
  return "contact: " + names;
}

}  // namespace bristle::detail
