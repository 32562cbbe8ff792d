#include "bristle/identify/search_log.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

#include <nlohmann/json.hpp>

#include "bristle/core/error.hpp"
#include "bristle/io/atomic_file.hpp"

namespace bristle {
namespace {

using Json = nlohmann::json;

/// Numbers that are not finite have no JSON.
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }
double number(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::infinity();
}

Json json_of(const StartResult& s) {
  if (!s.done) return {};
  return {{"from", s.from},
          {"to", s.to},
          {"x", s.x},
          {"cost_from", number(s.cost_from)},
          {"cost", number(s.cost)},
          {"seen", number(s.seen)},
          {"iterations", s.iterations},
          {"converged", s.converged}};
}

StartResult start_of(const Json& json) {
  if (!json.is_object()) return {};
  StartResult s;
  s.from = json.at("from").get<std::vector<double>>();
  s.to = json.at("to").get<std::vector<double>>();
  s.x = json.at("x").get<std::vector<double>>();
  s.cost_from = number(json.at("cost_from"));
  s.cost = number(json.at("cost"));
  s.seen = number(json.at("seen"));
  s.iterations = json.at("iterations").get<int>();
  s.converged = json.at("converged").get<bool>();
  s.done = true;
  return s;
}

}  // namespace

SearchLog::SearchLog(std::string file, std::string key)
    : file_(std::move(file)), key_(std::move(key)) {
  std::ifstream in(file_);
  if (!in) return;
  // A file that is none of ours, or was cut off, is as good as none.
  const Json json = Json::parse(in, nullptr, false);
  try {
    if (!json.is_object() || json.at("key") != key_) return;
    for (const auto& [name, starts] : json.at("searches").items()) {
      for (const Json& start : starts) searches_[name].push_back(start_of(start));
    }
  } catch (const Json::exception&) {
    searches_.clear();
  }
}

std::vector<StartResult> SearchLog::starts(const std::string& search) const {
  const auto found = searches_.find(search);
  return found == searches_.end() ? std::vector<StartResult>{} : found->second;
}

int SearchLog::done() const noexcept {
  int count = 0;
  for (const auto& [name, starts] : searches_) {
    for (const StartResult& s : starts) count += s.done;
  }
  return count;
}

void SearchLog::add(const std::string& search, std::size_t index, const StartResult& start) {
  std::vector<StartResult>& starts = searches_[search];
  if (starts.size() <= index) starts.resize(index + 1);
  starts[index] = start;
  Json json{{"key", key_}, {"searches", Json::object()}};
  for (const auto& [name, list] : searches_) {
    Json& to = json["searches"][name] = Json::array();
    for (const StartResult& s : list) to.push_back(json_of(s));
  }
  std::error_code told_by_write_file;
  std::filesystem::create_directories(std::filesystem::absolute(file_).parent_path(),
                                      told_by_write_file);
  try {
    write_file(file_, json.dump());
  } catch (const InputError& error) {
    throw WriteError(error.what());  // not a matter of the law that is sought
  }
}

}  // namespace bristle
