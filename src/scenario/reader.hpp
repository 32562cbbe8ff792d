#pragma once

// Reading the parts of a scenario.

#include "bristle/scenario/scenario.hpp"
#include "bristle/scenario/signal.hpp"

namespace bristle::detail {

/// Bodies, frames and everything between them but the laws.
Rig read_rig(const Document& document);
/// The law of each contact, from `friction`, `laws` and the contact itself; then the rig is
/// checked.
void read_laws(const Document& document, Rig& rig);
/// The node of each contact of the rig, in order: contacts, then clutches, then brakes.
std::vector<Node> contact_nodes(const Document& document);

/// What the file says of one law says nothing of another that settings have chosen: it is taken out
/// of the document, which then is what is run. `file` is the document without the settings.
void choose_laws(Document& document, const Document& file);
/// The friction law of one contact, and its normal law; `materials` has what its materials say.
AnyLaw read_friction(const Document& document, const Node& contact,
                     const std::vector<Setting>& materials = {});
AnyNormal read_normal(const Document& document, const Node& contact,
                      const std::vector<Setting>& materials);
/// The law of a contact over an area, where the contact or the whole document has one.
std::optional<VolumetricLaw> read_volumetric(const Document& document, const Node& contact,
                                             const std::vector<Setting>& materials);
/// Parameter sets of laws that are not in use are read all the same.
void check_law_sets(const Document& document, const std::vector<Node>& contacts);

/// A planar arm with a tool.
std::shared_ptr<const Mechanism> read_arm(const std::string& name, const Node& node,
                                          const Vector3& gravity);
/// Whether set_robot_reader() was told anything.
bool knows_robots() noexcept;
/// Whatever set_robot_reader() was told.
std::shared_ptr<const Mechanism> read_robot(const std::string& name, const Node& node,
                                            const Vector3& gravity);

/// True if the document describes bodies with shapes, pendulums, arms or robots.
bool is_world(const Document& document);
World read_world(const Document& document);

RunOptions read_options(const Document& document, const std::vector<std::string>& bodies,
                        std::size_t contacts);

}  // namespace bristle::detail
