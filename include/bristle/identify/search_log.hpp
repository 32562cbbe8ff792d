#pragma once

/// What a search has found so far, in a file, so that it can be stopped and gone on with.
///
///   SearchLog log("results/rig3/search.json", key);
///   options.known = log.starts("lugre");                 // none the first time
///   options.keep = [&](std::size_t i, const StartResult& s) { log.add("lugre", i, s); };
///
/// Starts are independent of each other, so that a search that goes on ends as if it had never been
/// stopped. The key says what was sought in which data: a file with another key counts for nothing.

#include <map>
#include <string>
#include <vector>

#include "bristle/identify/search.hpp"

namespace bristle {

class SearchLog {
 public:
  /// Reads the file if it is there and has this key.
  SearchLog(std::string file, std::string key);

  /// By number; those that are not done have done = false.
  std::vector<StartResult> starts(const std::string& search) const;
  int done() const noexcept;
  /// Notes one and writes the file, under another name first; WriteError if that cannot be.
  void add(const std::string& search, std::size_t number, const StartResult& start);

 private:
  std::string file_, key_;
  std::map<std::string, std::vector<StartResult>> searches_;
};

}  // namespace bristle
