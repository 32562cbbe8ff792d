// Files of scenarios and tasks: what they say is read and checked, not worked on for long.

#include <cmath>

#include "bristle/identify/recipe.hpp"
#include "bristle/identify/task.hpp"
#include "bristle/identify/track.hpp"
#include "bristle/scenario/interference.hpp"
#include "bristle/scenario/push.hpp"
#include "bristle/scenario/scenario.hpp"
#include "targets.hpp"

namespace bristle::fuzz {
namespace {

/// Beside the data that it may refer to.
Document parsed(std::string_view bytes) {
  return Document::parse(bytes, (scratch() / "input.yaml").string());
}

}  // namespace

void scenario(std::string_view bytes) {
  accepted([&] {
    const Scenario read = read_scenario(parsed(bytes), "input");
    require(std::isfinite(read.options.duration), "a run ends");
    if (read.world) read.world->warnings();
    // A scenario as it was read is a scenario.
    read_scenario(Document::parse(read.resolved.dump(), (scratch() / "again.yaml").string()),
                  "input");
  });
}

void interference(std::string_view bytes) {
  accepted([&] {
    const Document document = parsed(bytes);
    const Interference pair = read_interference(document);
    document.finish();
    const std::vector<Overlap> pieces = pair.overlaps();
    if (!pieces.empty()) pair.patch(together(pieces));
  });
}

void push(std::string_view bytes) {
  accepted([&] {
    const Document document = parsed(bytes);
    const PushTask task = read_push(document.root());
    document.finish();
    if (task.has_pusher && task.law) bristle::push(*task.law, task.contact, task.velocity);
  });
}

void track(std::string_view bytes) {
  accepted([&] {
    const Document document = parsed(bytes);
    const TrackTask task = read_track(document);
    document.finish();
    if (track_samples(task).size() < 1000) bristle::track(task);
  });
}

/// A task is read; a recipe is worked on until it asks whether to go on.
void identify(std::string_view bytes) {
  accepted([&] {
    const Document document = parsed(bytes);
    if (!document["recipe"].exists()) {
      read_task(document);
      document.finish();
      return;
    }
    try {
      run_recipe(document, [](const Stage&) { return false; });
    } catch (const SearchStopped&) {
      return;
    }
  });
}

}  // namespace bristle::fuzz
