#include "bristle/io/yaml.hpp"

#include <set>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace bristle {
namespace {

int line_of(const YAML::Node& node) { return node.Mark().line + 1; }

void collect(const YAML::Node& node, const std::string& prefix, const std::string& file,
             std::vector<Setting>& settings) {
  std::set<std::string> seen;
  for (const auto& item : node) {
    const auto name = item.first.as<std::string>();
    Setting setting{prefix + name, "", file, line_of(item.first)};
    if (!seen.insert(name).second) throw InputError(setting.fault("key given twice"));
    if (item.second.IsMap()) {
      collect(item.second, prefix + name + ".", file, settings);
      continue;
    }
    if (!item.second.IsScalar()) {
      Fault fault =
          setting.fault(item.second.IsSequence() ? "a list cannot be a value here" : "no value");
      fault.expected = "one number, word or quantity such as '5 mm/s'";
      throw InputError(fault);
    }
    setting.value = item.second.as<std::string>();
    settings.push_back(setting);
  }
}

}  // namespace

std::vector<Setting> read_settings(const std::filesystem::path& path, const char* section) {
  const std::string file = path.string();
  if (!std::filesystem::is_regular_file(path)) {
    const bool there = std::filesystem::exists(path);
    throw InputError({.message = there ? "not a file" : "no such file", .file = file});
  }
  YAML::Node root;
  try {
    root = YAML::LoadFile(file);
  } catch (const YAML::Exception& error) {
    throw InputError({.message = fmt::format("not valid YAML: {}", error.msg),
                      .file = file,
                      .line = error.mark.line + 1});
  }
  if (root.IsMap() && root[section].IsDefined() && root[section].IsMap()) root = root[section];
  if (!root.IsMap()) {
    throw InputError({.message = "not a mapping of keys to values",
                      .file = file,
                      .line = 1,
                      .expected = "lines such as 'mu_s: 0.3'"});
  }
  std::vector<Setting> settings;
  collect(root, "", file, settings);
  return settings;
}

}  // namespace bristle
