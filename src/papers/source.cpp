#include "bristle/papers/source.hpp"

#include <algorithm>

#include "bristle/core/names.hpp"
#include "sources.hpp"

namespace bristle::papers {
namespace detail {

Expression formula(const Node& node) {
  try {
    return Expression(node.text());
  } catch (const InputError& error) {
    Fault fault = node.fault(error.fault().message);
    fault.value = node.text();
    fault.nearest = error.fault().nearest;
    throw InputError(std::move(fault));
  }
}

Values fixed_values(const Node& node) {
  const Expression expression = formula(node);
  if (!expression.names().empty()) {
    throw InputError(node.fault(fmt::format("'{}' is not known here", expression.names().front())));
  }
  return expression.evaluate([](const std::string&) { return std::nullopt; });
}

std::string shell_quote(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+=/:,@").find(c) != std::string_view::npos;
  });
  return plain ? text : "'" + text + "'";
}

std::string set_options(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& s : settings) text += " --set " + shell_quote(s.key + "=" + s.value);
  return text;
}

Lookup lookup_in(const Data& data, Lookup next) {
  return [&data, next = std::move(next)](const std::string& name) -> std::optional<Values> {
    const auto found = data.find(name);
    if (found != data.end()) return found->second;
    return next ? next(name) : std::nullopt;
  };
}

}  // namespace detail

namespace {

struct KindOfSource {
  const char* name;
  detail::SourcePtr (*read)(const Node&, const std::string& data);
};
constexpr KindOfSource kinds[] = {
    {"run", detail::read_run},
    {"sweep", detail::read_sweep},
    {"curve", detail::read_curve_source},
    {"impact", detail::read_impact},
    {"area", detail::read_area_source},
    {"overlap", detail::read_overlap},
    {"table", detail::read_table},
    {"fit", detail::read_fit},
    {"measured", detail::read_measured},
    {"drive", detail::read_drive},
};

}  // namespace

const std::vector<std::string>& source_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const KindOfSource& kind : kinds) list.emplace_back(kind.name);
    return list;
  }();
  return names;
}

std::shared_ptr<const Source> read_source(const Node& node, const std::string& data) {
  const auto entries = node.entries();
  if (entries.size() != 1) {
    Fault fault = node.fault("a source has one key, its kind");
    fault.expected = one_of(source_kinds());
    throw InputError(std::move(fault));
  }
  for (const KindOfSource& kind : kinds) {
    if (entries[0].first == kind.name) return kind.read(entries[0].second, data);
  }
  Fault fault = entries[0].second.fault("unknown kind of source");
  fault.expected = one_of(source_kinds());
  fault.nearest = nearest_name(entries[0].first, source_kinds());
  throw InputError(std::move(fault));
}

}  // namespace bristle::papers
