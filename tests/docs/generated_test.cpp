// The pages in docs/laws are those that the generator makes now, and what they say is true.

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bristle/friction/any_law.hpp"
#include "bristle/normal/any_normal.hpp"
#include "support/paths.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "run 'make docs' and commit docs/laws";

struct Finished {
  int status = -1;
  std::string output;
};

/// Runs a shell command with both of its outputs together.
Finished run(const std::string& command) {
  Finished finished;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return finished;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    finished.output.append(buffer.data(), n);
  }
  const int ended = ::pclose(pipe);
  finished.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  return finished;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The same text, with numbers that agree but for rounding: the last digit of exp or sin is not the
/// same in all mathematics libraries.
bool agree(const std::string& a, const std::string& b, double tolerance) {
  const char* p = a.c_str();
  const char* q = b.c_str();
  while (*p != '\0' && *q != '\0') {
    if (is_digit(*p) && is_digit(*q)) {
      char* p_end = nullptr;
      char* q_end = nullptr;
      const double x = std::strtod(p, &p_end);
      const double y = std::strtod(q, &q_end);
      if (!(std::abs(x - y) <= tolerance + 1e-9 * std::abs(x))) return false;
      p = p_end;
      q = q_end;
    } else if (*p++ != *q++) {
      return false;
    }
  }
  return *p == *q;
}

class LawPages : public testing::Test {
 protected:
  void SetUp() override {
    made_ = fs::path(testing::TempDir()) / ("bristle_docs_" + std::to_string(::getpid()));
    fs::remove_all(made_);
    const Finished docgen = run("'" + testing_support::docgen() + "' '" + made_.string() + "'");
    ASSERT_EQ(docgen.status, 0) << docgen.output;
  }
  void TearDown() override { fs::remove_all(made_); }

  fs::path made_;
  fs::path kept_ = fs::path(testing_support::source_dir()) / "docs" / "laws";
};

TEST_F(LawPages, EveryLawHasAPageWithItsPictures) {
  for (const std::string& name : AnyLaw::names()) {
    EXPECT_TRUE(fs::exists(made_ / (name + ".md"))) << name;
    EXPECT_TRUE(fs::exists(made_ / (name + ".svg"))) << name;
    EXPECT_EQ(fs::exists(made_ / (name + "-loop.svg")), AnyLaw(name).info().can(Capability::memory))
        << name;
  }
}

TEST_F(LawPages, KeptPagesAreUpToDate) {
  ASSERT_TRUE(fs::is_directory(kept_)) << remedy;
  EXPECT_EQ(names_in(kept_), names_in(made_)) << remedy;
  for (const std::string& name : names_in(made_)) {
    const bool drawing = name.ends_with(".svg");
    const std::string made = read(made_ / name), kept = read(kept_ / name);
    EXPECT_EQ(made.starts_with("<svg"), drawing) << name;
    // A twentieth of a pixel; numbers in pages have up to 17 digits.
    EXPECT_TRUE(agree(made, kept, drawing ? 0.05 : 1e-12)) << name << ": " << remedy;
  }
}

TEST_F(LawPages, GeneratingTwiceGivesTheSameBytes) {
  const fs::path again = made_.string() + "_again";
  ASSERT_EQ(run("'" + testing_support::docgen() + "' '" + again.string() + "'").status, 0);
  for (const std::string& name : names_in(made_)) {
    EXPECT_TRUE(read(made_ / name) == read(again / name)) << name;
  }
  fs::remove_all(again);
}

TEST_F(LawPages, PageOfNormalLawsIsUpToDate) {
  const fs::path docs = fs::path(testing_support::source_dir()) / "docs";
  const fs::path page = made_ / "normal-laws.md";
  const Finished docgen = run("'" + testing_support::docgen() + "' normal '" + page.string() + "'");
  ASSERT_EQ(docgen.status, 0) << docgen.output;
  const char* stale = "run 'make docs' and commit docs";
  EXPECT_TRUE(agree(read(page), read(docs / "normal-laws.md"), 1e-12)) << stale;
  EXPECT_TRUE(agree(read(made_ / "restitution.svg"), read(docs / "restitution.svg"), 0.05))
      << stale;
  for (const std::string& name : AnyNormal::names()) {
    EXPECT_NE(read(page).find("\n### " + name + "\n"), std::string::npos) << name;
  }
}

TEST_F(LawPages, GeneratorRefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run("'" + testing_support::docgen() + "' --help").status, 2);
  EXPECT_EQ(
      run("'" + testing_support::docgen() + "' '" + (made_ / "README.md").string() + "'").status,
      1);
}

/// The numbers in the row of a law in the table of drifts: static level, then µm per cycle.
std::vector<double> drift_row(const std::string& index, const std::string& law) {
  const std::string link = "[" + law + "](" + law + ".md) |";
  const std::size_t table = index.find("\n## Drift under a varying load\n");
  const std::size_t row = table == index.npos ? table : index.find(link, table);
  std::vector<double> numbers;
  if (row == index.npos) return numbers;
  std::istringstream cells(index.substr(row + link.size(), index.find('\n', row) - row));
  for (double x = 0; cells >> x; cells.ignore(2)) numbers.push_back(x);
  return numbers;
}

TEST_F(LawPages, DriftIsWhatTheLawsImply) {
  const std::string index = read(made_ / "README.md");
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    const std::vector<double> row = drift_row(index, name);
    ASSERT_EQ(row.size(), 3U) << name;
    const bool holds = law.info().can(Capability::set_valued) || law.info().can(Capability::hybrid);
    for (std::size_t k = 1; k < row.size(); ++k) {
      if (holds) {
        EXPECT_EQ(row[k], 0.0) << name;
      } else if (name != "elasto-plastic") {
        EXPECT_GT(row[k], 0.0) << name;
      }
    }
  }
  const std::vector<double> dahl = drift_row(index, "dahl");
  const AnyLaw law("dahl");
  const double level = law.get("mu_k"), stretch = 1e6 * level / law.get("sigma0");  // µm
  EXPECT_NEAR(dahl[0], level, 1e-4 * level);
  // dx = dz/(1 − y) on the way up and dz/(1 + y) on the way down, y = F/F_c.
  const auto closed_form = [&](double low, double high) {
    return stretch * (std::log((1 - low) / (1 - high)) - std::log((1 + high) / (1 + low)));
  };
  EXPECT_NEAR(dahl[1], closed_form(0.45, 0.75), 0.005 * dahl[1]);
  EXPECT_NEAR(dahl[2], closed_form(0.3, 0.5), 0.005 * dahl[2]);
  const std::vector<double> elasto_plastic = drift_row(index, "elasto-plastic");
  EXPECT_GT(elasto_plastic[1], 0.0);  // above its elastic limit
  EXPECT_EQ(elasto_plastic[2], 0.0);  // below it
}

TEST_F(LawPages, EveryLawThatIsNotPassiveHasACounterExample) {
  for (const std::string& name : AnyLaw::names()) {
    const std::string page = read(made_ / (name + ".md"));
    const bool passive = AnyLaw(name).passive(1.0);
    EXPECT_EQ(page.find("\nPassive with the default parameters") != page.npos, passive) << name;
    EXPECT_EQ(page.find("Counter-example") == page.npos, passive) << name;
  }
}

/// A command line of a page and what the page says it prints; an ellipsis stands for the rest.
struct Transcript {
  std::string page, command, output;
};

std::vector<Transcript> transcripts_in(const fs::path& folder) {
  std::vector<Transcript> all;
  const std::string opening = "```console\n$ ", closing = "```\n";
  for (const std::string& name : names_in(folder)) {
    const std::string text = read(folder / name);
    for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at)) {
      at += opening.size();
      const std::size_t line = text.find('\n', at) + 1;
      const std::size_t end = text.find(closing, line);
      all.push_back({name, text.substr(at, line - 1 - at), text.substr(line, end - line)});
      at = end;
    }
  }
  return all;
}

TEST_F(LawPages, CommandsPrintWhatThePagesSay) {
  const std::vector<Transcript> all = transcripts_in(made_);
  EXPECT_GT(all.size(), AnyLaw::names().size());
  for (const Transcript& t : all) {
    ASSERT_TRUE(t.command.starts_with("bristle ")) << t.page << ": " << t.command;
    const Finished ran =
        run("'" + testing_support::cli() + "'" + t.command.substr(t.command.find(' ')));
    EXPECT_EQ(ran.status, t.output.starts_with("bristle: ") ? 2 : 0) << t.page << ": " << t.command;
    const std::string ellipsis = "…\n";
    if (t.output.ends_with(ellipsis)) {
      const std::string beginning = t.output.substr(0, t.output.size() - ellipsis.size());
      EXPECT_EQ(ran.output.substr(0, beginning.size()), beginning) << t.page << ": " << t.command;
      EXPECT_GT(ran.output.size(), beginning.size()) << t.page << ": " << t.command;
    } else {
      EXPECT_EQ(ran.output, t.output) << t.page << ": " << t.command;
    }
  }
}

}  // namespace
}  // namespace bristle
