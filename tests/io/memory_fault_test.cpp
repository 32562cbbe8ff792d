// Memory that runs out while input is read: every allocation fails once. What comes out is
// bad_alloc, which the command words; what is read all the same is what the input says.
// BRISTLE_TEST_LONG lets each allocation fail that there is, otherwise some hundred of each input.

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/core/unit.hpp"
#include "bristle/identify/task.hpp"
#include "bristle/identify/track.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/papers/expression.hpp"
#include "bristle/scenario/interference.hpp"
#include "bristle/scenario/push.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/shape/mesh_file.hpp"
#include "support/failing_allocation.hpp"
#include "support/paths.hpp"
#include "support/scratch_folder.hpp"
#include "support/takes_long.hpp"

namespace bristle {
namespace {

class NoMemory : public ::testing::Test {
 protected:
  using Read = std::function<std::string()>;

  void SetUp() override {
    if (!testing::allocations_can_fail()) GTEST_SKIP() << "the sanitizers bring their own malloc";
  }
  /// One of the seeds that the fuzz targets start from.
  static std::string seed(const std::string& name) {
    return testing_support::source_dir() + "/fuzz/seeds/" + name;
  }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  /// What comes of reading with the n-th allocation failing.
  struct Outcome {
    bool had_all = false;
    std::string read, told;
  };
  static Outcome outcome(long n, const Read& read) {
    Outcome result;
    std::optional<testing::FailingAllocation> failing(n);
    try {
      std::string text = read();
      result.had_all = !failing->has_failed();
      failing.reset();
      result.read = std::move(text);
    } catch (const std::bad_alloc&) {
      failing.reset();
      result.told = "out of memory";
    } catch (const std::exception& error) {
      failing.reset();
      result.told = error.what();
    }
    return result;
  }
  static void expect_told(const Read& read) {
    const std::string expected = read();
    ASSERT_FALSE(expected.empty());
    long all = 1;
    while (!outcome(all, read).had_all) all *= 2;
    const long step = testing_support::takes_long() ? 1 : std::max(1L, all / 300);
    long told = 0, tried = 0;
    for (long n = 1; n < all; n += 1 + (n > 30 ? (n * 7) % step : 0)) {
      const Outcome o = outcome(n, read);
      if (o.had_all) break;
      ++tried;
      told += o.told == "out of memory";
      ASSERT_TRUE(o.told == "out of memory" || (o.told.empty() && o.read == expected))
          << "allocation " << n << ": " << o.told << o.read;
    }
    EXPECT_GT(told, tried / 10) << "sorting does with less memory, and so do some others";
    EXPECT_EQ(read(), expected) << "nothing is spoilt for the next one";
  }
};

TEST_F(NoMemory, IsToldOfScenarios) {
  for (const char* name : {"mass-spring", "ball-incline", "peg-in-hole", "turntable"}) {
    SCOPED_TRACE(name);
    expect_told([=] { return load_scenario(name).resolved.dump(); });
  }
}

TEST_F(NoMemory, IsToldOfTasks) {
  const std::string push = text_of(seed("push/path.yaml"));
  expect_told([&] {
    return fmt::format("{}", read_push(Document::parse(push, "push.yaml").root()).duration);
  });
  const std::string boxes = text_of(seed("interference/boxes.yaml"));
  expect_told([&] {
    read_interference(Document::parse(boxes, "boxes.yaml"));
    return std::string("read");
  });
}

TEST_F(NoMemory, IsToldOfDocuments) {
  const std::string rig = text_of(seed("scenario/rig.yaml"));
  expect_told([&] { return Document::parse(rig, "rig.yaml").dump(); });
  expect_told([] { return Document::read(seed("scenario/rig.yaml")).dump(); });
  expect_told([&] {
    Document changed = Document::parse("a: {b: [1, {c: 2}]}\n", "a.yaml");
    changed.set("a.b.1.c", "{x: [3, four]}");
    return changed.dump();
  });
}

std::string said(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    text += table.names[i];
    for (const double value : table.columns[i]) text += fmt::format(" {}", value);
  }
  return text;
}

TEST_F(NoMemory, IsToldOfTables) {
  for (const char* name : {"csv/comma.csv", "csv/quoted.csv", "csv/tabs.csv"}) {
    const std::string text = text_of(seed(name));
    expect_told([&] { return said(parse_csv(text, "table.csv")); });
    expect_told([=] { return said(read_csv(seed(name))); });
  }
}

TEST_F(NoMemory, IsToldOfMeshes) {
  for (const char* name : {"mesh/tetrahedron.obj", "mesh/tetrahedron.stl"}) {
    expect_told(
        [=] { return fmt::format("{}", Mesh::make(read_mesh(seed(name), 1e-3))->volume()); });
  }
}

TEST_F(NoMemory, IsToldOfFormulasAndQuantities) {
  expect_told([] {
    const papers::Expression expression("sqrt(2*t + max(t)) / (1 + a^2)");
    const auto lookup = [](const std::string& name) -> std::optional<papers::Values> {
      return name == "t" ? papers::Values{0, 1, 2} : papers::Values{3};
    };
    std::string read;
    for (const double value : expression.evaluate(lookup)) read += fmt::format("{} ", value);
    return read;
  });
  expect_told([] {
    return fmt::format("{}", parse_quantity("3.5 N mm/rad", parse_unit("N m/rad").dimension, {}));
  });
}

}  // namespace
}  // namespace bristle
