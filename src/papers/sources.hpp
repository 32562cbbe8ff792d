#pragma once

// What the kinds of sources share.

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/papers/source.hpp"
#include "bristle/solve/run.hpp"

namespace bristle::papers::detail {

using SourcePtr = std::shared_ptr<const Source>;

/// `data` is the folder of measurements, empty if the user has none.
SourcePtr read_run(const Node& node, const std::string& data);
SourcePtr read_sweep(const Node& node, const std::string& data);
SourcePtr read_curve_source(const Node& node, const std::string& data);
SourcePtr read_impact(const Node& node, const std::string& data);
SourcePtr read_area_source(const Node& node, const std::string& data);
SourcePtr read_overlap(const Node& node, const std::string& data);
SourcePtr read_table(const Node& node, const std::string& data);
SourcePtr read_fit(const Node& node, const std::string& data);
SourcePtr read_measured(const Node& node, const std::string& data);
SourcePtr read_drive(const Node& node, const std::string& data);

inline constexpr const char* no_data_folder =
    "its measurements do not ship; name the folder that has them with --data";

/// Columns, metrics, lists and times of events of a run by their names.
Data data_of(const RunResult& result);

/// The text of a node as a formula; faults point to the node.
Expression formula(const Node& node);
/// A formula without names: "grid(0, 1, 11)" or "[0.1, 0.2]".
Values fixed_values(const Node& node);

/// " --set key=value" for each, quoted where a shell needs it.
std::string set_options(const std::vector<Setting>& settings);
/// "a:b:n" or the list itself, as commands take it.
std::string shell_quote(const std::string& text);

/// Looks in `data`, then asks `next`.
Lookup lookup_in(const Data& data, Lookup next);

}  // namespace bristle::papers::detail
