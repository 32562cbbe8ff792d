#include "bristle/io/yaml.hpp"

#include "bristle/io/document.hpp"

namespace bristle {

std::vector<Setting> read_settings(const std::filesystem::path& path, const char* section) {
  const Document document = Document::read(path);
  const Node part = document[section];
  return part.is_map() ? part.settings() : document.root().settings();
}

}  // namespace bristle
