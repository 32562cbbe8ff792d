// Laws that settings have chosen over those of a file.

#include <algorithm>

#include "reader.hpp"

namespace bristle::detail {
namespace {

/// A kind of law, and what it is where nothing names it.
struct Kind {
  const char* section;
  const char* fallback;
};

/// What a section names as its law, perhaps by a parameter; nothing if it names none.
std::string named(const Document& document, const Node& section) {
  if (!section["law"].exists()) return "";
  std::string law = section["law"].text();
  if (law.starts_with('$')) law = document["parameters"][law.substr(1)].text("");
  return law;
}
std::string law_of(const Document& document, const Node& own, const Kind& kind) {
  if (std::string law = named(document, own); !law.empty()) return law;
  const std::string law = named(document, document[kind.section]);
  return law.empty() ? kind.fallback : law;
}

/// The same section in another document; a missing one if there is none.
Node section_in(const Document& document, std::size_t contact, const Kind& kind) {
  const std::vector<Node> nodes = contact_nodes(document);
  return contact < nodes.size() ? nodes[contact][kind.section] : Node();
}

/// Takes out what a file says of another law.
void forget_file(Document& document, const Node& section) {
  const std::vector<Setting> settings = section.settings({"law"});
  for (const Setting& setting : settings) {
    if (!setting.file.empty()) document.remove(section.path() + "." + setting.key);
  }
}

/// What the command line sets for all contacts holds for one that names its own law too, as far as
/// that law knows it; with `all`, whether it does or not: then nobody else would refuse it.
template <class Law>
void hand_down(Document& document, const Node& common, const Node& own, bool all) {
  const auto& known = Law(own["law"].word(Law::names())).info();
  const std::vector<Setting> own_settings = own.settings({"law"});
  for (const Setting& setting : common.settings({"law"})) {
    if (!setting.file.empty() || (!all && known.find(setting.key) == nullptr)) continue;
    const auto same = [&](const Setting& other) {
      return other.key == setting.key || (known.find(setting.key) != nullptr &&
                                          known.find(other.key) == known.find(setting.key));
    };
    if (std::any_of(own_settings.begin(), own_settings.end(), same)) continue;
    document.set(own.path() + "." + setting.key, setting.value);
  }
}

/// What the command line sets replaces what the file says of the same parameter by another name.
template <class Law>
void replace_aliases(Document& document, const Node& section, const std::string& law) {
  const auto& names = Law::names();
  if (std::find(names.begin(), names.end(), law) == names.end()) return;  // refused by who reads it
  const auto& known = Law(law).info();
  const std::vector<Setting> settings = section.settings({"law"});
  for (const Setting& set : settings) {
    if (!set.file.empty() || known.find(set.key) == nullptr) continue;
    for (const Setting& said : settings) {
      if (said.file.empty() || known.find(said.key) != known.find(set.key)) continue;
      document.remove(section.path() + "." + said.key);
    }
  }
}

template <class Law>
void choose(Document& document, const Document& file, const Kind& kind) {
  const auto replaced = [&](const Node& now, const Node& before) {
    const std::string was = law_of(file, before, kind);
    return !was.empty() && was != law_of(document, now, kind);
  };
  const Document now = document;
  for (std::size_t c = 0; c < contact_nodes(now).size(); ++c) {
    const Node own = section_in(now, c, kind);
    if (own.exists() && replaced(own, section_in(file, c, kind))) forget_file(document, own);
  }
  if (replaced(Node(), Node())) forget_file(document, now[kind.section]);
  const Document chosen = document;
  const std::vector<Node> nodes = contact_nodes(chosen);
  const auto has_own = [&](const Node& node) { return node[kind.section]["law"].exists(); };
  const bool all = std::all_of(nodes.begin(), nodes.end(), has_own);
  replace_aliases<Law>(document, chosen[kind.section], law_of(chosen, Node(), kind));
  for (const Node& node : nodes) {
    const Node own = node[kind.section];
    if (own.exists()) replace_aliases<Law>(document, own, law_of(chosen, own, kind));
    if (has_own(node)) hand_down<Law>(document, chosen[kind.section], node[kind.section], all);
  }
}

}  // namespace

void choose_laws(Document& document, const Document& file) {
  choose<AnyLaw>(document, file, {"friction", ""});
  choose<AnyNormal>(document, file, {"normal", "gonthier"});
}

}  // namespace bristle::detail
