// Measurements of others, from a folder that the user has.

#include <filesystem>

#include "bristle/core/input_file.hpp"
#include "bristle/identify/drive.hpp"
#include "bristle/identify/linear.hpp"
#include "bristle/identify/recording.hpp"
#include "bristle/io/csv.hpp"
#include "kept.hpp"
#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

/// A file of the folder.
class MeasuredFile {
 public:
  MeasuredFile(const Node& node, const std::string& data)
      : name_(node["file"].text()), path_(data.empty() ? "" : data + "/" + name_) {}

  std::string absent() const {
    if (path_.empty()) return no_data_folder;
    return std::filesystem::exists(path_) ? "" : "there is no file '" + path_ + "'";
  }
  std::string inputs() const { return fingerprint(read_input(path_, limits::table_bytes)); }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string name_, path_;
};

class Measured final : public Source {
 public:
  Measured(const Node& node, const std::string& data) : file_(node, data) {}

  Data compute(const Lookup&) const override {
    Data data;
    const Table table = read_csv(file_.path());
    for (const std::string& name : table.names) data[name] = table.at(name);
    return data;
  }
  std::string absent() const override { return file_.absent(); }
  std::string inputs() const override { return file_.inputs(); }

 private:
  MeasuredFile file_;
};

/// Inverse dynamics: which terms of the motion explain the force.
class Drive final : public Source {
 public:
  Drive(const Node& node, const std::string& data)
      : file_(node, data),
        time_(node["time"].text("t")),
        position_(node["position"].text()),
        force_(node["force"].text()),
        gain_(node["gain"].number(1.0)) {
    for (const Node& term : node["terms"].required("terms of a drive").items()) {
      terms_.push_back(term.text());
    }
  }

  Data compute(const Lookup&) const override {
    const Table table = read_csv(file_.path());
    Recording recording{.file = file_.path(), .lines = table.lines, .t = table.at(time_)};
    recording.put("position", table.at(position_), dim::length);
    std::vector<double> force = table.at(force_);
    for (double& f : force) f *= gain_;
    recording.put("force", std::move(force), dim::force);
    const LinearFit fit = fit_linear(drive_problem(recording, terms_));
    Data data{{"relative_error", {fit.relative_error}}};
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const auto i = static_cast<Eigen::Index>(j);
      data[formula_name(terms_[j])] = {fit.estimate[i]};
      data["se_" + formula_name(terms_[j])] = {fit.standard_error[i]};
    }
    return data;
  }
  std::string absent() const override { return file_.absent(); }
  std::string inputs() const override { return file_.inputs(); }

 private:
  /// "coulomb+" is no name that a formula could have.
  static std::string formula_name(std::string term) {
    if (term.ends_with('+')) return term.replace(term.size() - 1, 1, "_plus");
    if (term.ends_with('-')) return term.replace(term.size() - 1, 1, "_minus");
    return term;
  }

  MeasuredFile file_;
  std::string time_, position_, force_;
  double gain_;
  std::vector<std::string> terms_;
};

}  // namespace

SourcePtr read_drive(const Node& node, const std::string& data) {
  return std::make_shared<const Drive>(node, data);
}

SourcePtr read_measured(const Node& node, const std::string& data) {
  return std::make_shared<const Measured>(node, data);
}

}  // namespace bristle::papers::detail
