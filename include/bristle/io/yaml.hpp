#pragma once

/// Settings from a YAML file: one flat mapping of keys to scalars, each with its line.
///
///   law: lugre
///   mu_s: 0.3
///   sigma0: 1e5 N/m
///   minus:            # nested keys are joined with dots: minus.mu_k
///     mu_k: 0.18

#include <filesystem>
#include <vector>

#include "bristle/core/setting.hpp"

namespace bristle {

/// The scalars of the mapping, or of the mapping under its key `section` if there is one (so that a
/// scenario file serves as well). It may include others, as any Document. InputError for a missing
/// file, bad YAML, a key given twice, a list or an empty value.
std::vector<Setting> read_settings(const std::filesystem::path& path, const char* section = "");

}  // namespace bristle
