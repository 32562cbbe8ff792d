#include "bristle/identify/recording.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <matio.h>

#include "bristle/core/error.hpp"
#include "bristle/io/hdf5.hpp"
#include "support/measured.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using Numbers = std::vector<double>;

class ReadRecording : public testing::Test {
 protected:
  /// `entry` is one entry of `data`, indented by two.
  std::vector<Recording> read(const std::string& entry) const {
    const std::string yaml = folder_.write("a.yaml", "data:\n- " + entry);
    const Document document = Document::read(yaml);
    std::vector<Recording> result = read_recordings(document["data"]);
    document.finish();
    return result;
  }

  Fault fault(const std::string& entry) const {
    try {
      read(entry);
    } catch (const InputError& error) {
      return error.fault();
    }
    ADD_FAILURE() << "accepted: " << entry;
    return {};
  }

  testing_support::ScratchFolder folder_;
  std::string csv_ = folder_.write("rig.csv",
                                   "# rig 3\n"
                                   "t [ms], v, F [mN], note\n"
                                   "0, 1, 100, ok\n"
                                   "10, 2, 200, ok\n"
                                   "20, 4, 150, \n"
                                   "30, 3, 140, ok\n");
  const std::string columns_ =
      "  columns:\n"
      "    time: {column: t}\n"
      "    slip: {column: v, unit: mm/s}\n"
      "    force: {column: F}\n";
};

TEST_F(ReadRecording, TextWithUnitsOfTheHeaderOrTheMapping) {
  const Recording rig = read("file: rig.csv\n" + columns_ + "    load: 2.5 N\n").at(0);
  EXPECT_EQ(rig.file, csv_);
  EXPECT_EQ(rig.t, (Numbers{0, 0.01, 0.02, 0.03}));
  EXPECT_EQ(rig.at("slip"), (Numbers{0.001, 0.002, 0.004, 0.003}));
  EXPECT_EQ(rig.at("force"), (Numbers{0.1, 0.2, 0.15, 0.14}));
  EXPECT_EQ(rig.at("load"), Numbers(4, 2.5));
  EXPECT_EQ(rig.dimension("slip"), dim::speed);
  EXPECT_EQ(rig.lines, (std::vector<int>{3, 4, 5, 6}));
  EXPECT_TRUE(rig.steps.empty());
  EXPECT_FALSE(rig.has("position"));
}

TEST_F(ReadRecording, TextSeparatedByBlanksWithoutHeader) {
  folder_.write("rig.txt", "1 5.0 0.1\n2 6 0.3\n3 7 0.2\n");
  const Recording rig = read(
                            "file: rig.txt\n"
                            "  columns:\n"
                            "    time: {column: 1, unit: s}\n"
                            "    position: {column: 2, unit: deg}\n"
                            "    force: {column: 3, unit: N m}\n")
                            .at(0);
  EXPECT_EQ(rig.t, (Numbers{1, 2, 3}));
  EXPECT_EQ(rig.dimension("position"), dim::angle);
  EXPECT_NEAR(rig.at("position")[2], 7 * 3.14159265358979 / 180, 1e-14);
  EXPECT_EQ(rig.dimension("force"), dim::energy);
}

TEST_F(ReadRecording, TimesFromARateAndAForceFromAVoltage) {
  folder_.write("rig.csv", "u\n1\n2\n-1\n");
  const Recording rig = read(
                            "file: rig.csv\n"
                            "  columns:\n"
                            "    time: {rate: 1 kHz}\n"
                            "    force: {column: u, unit: V, gain: 2.5 N/V}\n")
                            .at(0);
  EXPECT_EQ(rig.t, (Numbers{0, 0.001, 0.002}));
  EXPECT_EQ(rig.at("force"), (Numbers{2.5, 5, -2.5}));
  EXPECT_EQ(rig.dimension("force"), dim::force);
  const std::string head =
      "file: rig.csv\n  columns:\n    time: {rate: 1 kHz}\n    force: {column: u, unit: ";
  EXPECT_EQ(read(head + "mN, gain: -2}\n").at(0).at("force")[1], -0.004);
  EXPECT_EQ(fault(head + "V}\n").message, "column 'u' is a voltage (V)");
  EXPECT_EQ(fault(head + "V, gain: 3 N/A}\n").key, "data.0.columns.force.gain");
  EXPECT_EQ(fault(head + "N, gain: 3 N/A}\n").key, "data.0.columns.force.gain");
  EXPECT_EQ(fault(head + "V, gain: 0}\n").message, "a gain of zero");
}

TEST_F(ReadRecording, Hdf5) {
  const Numbers t = {0, 1, 2}, x = {1, 3, 2}, bad = {1, std::nan(""), 2}, few = {1, 2};
  write_hdf5(folder_ / "rig.h5",
             std::vector<Hdf5Column>{{"t", "ms", t}, {"rig/x", "", x}, {"bad", "N", bad}});
  const std::string head =
      "file: rig.h5\n  columns:\n    time: {column: t}\n    position: {column: ";
  const Recording rig = read(head + "rig/x, unit: mm}\n").at(0);
  EXPECT_EQ(rig.t, (Numbers{0, 0.001, 0.002}));
  EXPECT_EQ(rig.at("position"), (Numbers{0.001, 0.003, 0.002}));
  EXPECT_EQ(rig.lines, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(fault(head + "rig/y, unit: mm}\n").nearest, "rig/x");
  EXPECT_EQ(fault(head + "rig/x, unit: mm, index: 2}\n").message, "no column 2");
  const Fault nan = fault(head + "rig/x, unit: mm}\n    force: {column: bad}\n");
  EXPECT_EQ(nan.message, "row 2: not a finite number");
  EXPECT_EQ(nan.line, 0);
  EXPECT_EQ(nan.key, "bad");
}

TEST_F(ReadRecording, MatrixOfAMatlabFile) {
  Numbers values = {0, 1, 2, 5, 7, 6};
  std::vector<std::size_t> shape = {3, 2};
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    mat_t* const file = Mat_CreateVer((folder_ / "rig.mat").c_str(), nullptr, version);
    matvar_t* const variable =
        Mat_VarCreate("log", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, shape.data(), values.data(), 0);
    Mat_VarWrite(file, variable, MAT_COMPRESSION_ZLIB);
    Mat_VarFree(variable);
    Mat_Close(file);
    const Recording rig = read(
                              "file: rig.mat\n  columns:\n"
                              "    time: {column: log, index: 1, unit: s}\n"
                              "    force: {column: log, index: 2, unit: kN}\n")
                              .at(0);
    EXPECT_EQ(rig.t, (Numbers{0, 1, 2}));
    EXPECT_EQ(rig.at("force"), (Numbers{5000, 7000, 6000}));
    std::filesystem::remove(folder_ / "rig.mat");
  }
}

TEST_F(ReadRecording, WindowsAreCutAfterPreparation) {
  std::string text = "t [s], F [N]\n";
  for (int i = 0; i <= 100; ++i)
    text += std::to_string(0.1 * i) + "," + std::to_string(3 + i % 7) + "\n";
  folder_.write("rig.csv", text);
  const std::string head =
      "file: rig.csv\n  columns: {time: {column: t}, force: {column: F}}\n"
      "  prepare: [{drift: force, rest: [0 s, 0.05 s]}]\n";
  const std::vector<Recording> both = read(head + "  windows: [[1 s, 2 s], [5 s, 9 s]]\n");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].size(), 11U);
  EXPECT_EQ(both[1].size(), 41U);
  EXPECT_EQ(both[1].lines.front(), 52);
  EXPECT_EQ(both[0].at("force").front(), 10 % 7);
  EXPECT_EQ(both[0].steps.size(), 2U);
  EXPECT_EQ(read(head + "  window: [1 s, 2 s]\n").size(), 1U);
  EXPECT_EQ(
      read(head + "- {file: rig.csv, columns: {time: {column: t}, force: {column: F}}}\n").size(),
      2U);
  EXPECT_EQ(fault(head + "  window: [20 s, 30 s]\n").message, "no sample from 20 to 30 s");
  EXPECT_EQ(fault(head + "  window: [1 s, 1.1 s]\n").message, "2 samples");
  EXPECT_EQ(fault(head + "  window: [2 s, 1 s]\n").message, "the window ends before it starts");
  EXPECT_EQ(fault(head + "  window: [1 s]\n").key, "data.0.window");
  EXPECT_EQ(fault(head + "  windows: []\n").message, "no window");
  EXPECT_EQ(fault(head + "  windows: [[1 s, 2 s]]\n  window: [1 s, 2 s]\n").message,
            "besides 'window'");
  EXPECT_EQ(fault(head + "  wndow: [1 s, 2 s]\n").nearest, "window");
}

TEST_F(ReadRecording, RefusesTimeThatDoesNotIncreaseAndGaps) {
  const std::string entry = "file: rig.csv\n  columns: {time: {column: t}, force: {column: F}}\n";
  folder_.write("rig.csv", "t [s],F [N]\n0,1\n1,2\n1,3\n2,4\n");
  const Fault twice = fault(entry);
  EXPECT_EQ(twice.line, 4);
  EXPECT_EQ(twice.key, "t");
  EXPECT_EQ(twice.message, "time does not increase: 1 s after 1 s");
  folder_.write("rig.csv", "t [s],F [N]\n0,1\n1,2\n2,3\n13,4\n14,1\n15,2\n");
  EXPECT_EQ(fault(entry).line, 5);
  EXPECT_EQ(fault(entry).message, "a gap of 11 s before t = 13 s; the usual step is 1 s");
  EXPECT_EQ(read(entry + "  gaps: true\n").at(0).size(), 6U);
  EXPECT_EQ(read(entry + "  windows: [[0 s, 2 s], [13 s, 15 s]]\n").size(), 2U);
}

TEST_F(ReadRecording, RefusesUnitsThatLackOrContradict) {
  const std::string head = "file: rig.csv\n  columns:\n    time: {column: t}\n";
  const Fault none = fault(head + "    slip: {column: v}\n");
  EXPECT_EQ(none.message, "neither here nor in the file has column 'v' a unit");
  EXPECT_EQ(none.key, "data.0.columns.slip.unit");
  EXPECT_EQ(none.expected, "a unit of speed (m/s) or angular speed (rad/s)");
  const Fault wrong = fault(head + "    slip: {column: v, unit: mm}\n");
  EXPECT_EQ(wrong.message, "column 'v' is a length (m)");
  EXPECT_EQ(wrong.line, 5);
  EXPECT_EQ(fault(head + "    slip: {column: v, unit: furlong}\n").message,
            "unknown unit 'furlong'");
  EXPECT_EQ(fault(head + "    slip: {column: F}\n").message, "column 'F' is a force (N)");
  EXPECT_EQ(fault(head + "    force: {column: F, unit: N}\n").message,
            "the file has column 'F' in another unit");
  EXPECT_NO_THROW(read(head + "    force: {column: F, unit: mN}\n"));
  EXPECT_EQ(fault(head + "    load: 2 kg\n    force: {column: F}\n").key, "data.0.columns.load");
}

TEST_F(ReadRecording, RefusesWhatIsMissingOrMisspelt) {
  EXPECT_EQ(fault("file: none.csv\n" + columns_).key, "data.0.file");
  EXPECT_EQ(fault("fiel: rig.csv\n" + columns_).key, "data.0.file");
  EXPECT_EQ(fault("file: rig.csv\n").key, "data.0.columns");
  EXPECT_EQ(fault("file: rig.csv\n  columns: {slip: {column: v, unit: m/s}}\n").key,
            "data.0.columns.time");
  EXPECT_EQ(fault("file: rig.csv\n  columns: {time: {column: t}}\n").message, "nothing but time");
  EXPECT_EQ(fault("file: rig.csv\n  columns: {time: {column: t}, slpi: {column: v}}\n").nearest,
            "slip");
  EXPECT_EQ(fault("file: rig.csv\n  columns: {time: {column: t}, slip: {colunm: v}}\n").key,
            "data.0.columns.slip.column");
  EXPECT_EQ(fault("file: rig.csv\n  columns: {time: 3, slip: {column: v, unit: m/s}}\n").message,
            "one value");
  EXPECT_EQ(
      fault(
          "file: rig.csv\n  columns: {time: {column: t}, slip: {column: v, unit: m/s, gian: 3}}\n")
          .nearest,
      "gain");
  const Fault column =
      fault("file: rig.csv\n  columns: {time: {column: t}, slip: {column: w, unit: m/s}}\n");
  EXPECT_EQ(column.message, "no such column");
  EXPECT_EQ(column.file, csv_);
  EXPECT_EQ(column.expected, "one of 't', 'v', 'F', 'note'");
}

TEST_F(ReadRecording, RefusesNumbersThatAreNone) {
  folder_.write("rig.csv", "t [s],F [N]\n0,1\n1,nan\n2,3\n");
  const std::string entry = "file: rig.csv\n  columns: {time: {column: t}, force: {column: F}}\n";
  EXPECT_EQ(fault(entry).line, 3);
  EXPECT_EQ(fault(entry).key, "F");
  folder_.write("rig.csv", "t [s],F [N]\n0,1\n1,2\n2,\n");
  EXPECT_EQ(fault(entry).line, 4);
  folder_.write("rig.csv", "t [s],F [N]\n0,1\n1,2\n");
  EXPECT_EQ(fault(entry).message, "2 samples");
  folder_.write("rig.csv", "t [s],F [N]\n");
  EXPECT_EQ(fault(entry).message, "0 samples");
}

TEST_F(ReadRecording, RefusesDeadSensorsAndLoadsThatDoNotPress) {
  folder_.write("rig.csv", "t [s],F [N],N [N]\n0,1,-2\n1,1,-3\n2,1,0\n");
  const std::string head = "file: rig.csv\n  columns:\n    time: {column: t}\n";
  const Fault dead = fault(head + "    force: {column: F}\n");
  EXPECT_EQ(dead.message, "the column never changes (lines 2 to 4, t = 0 s to 2 s)");
  EXPECT_EQ(dead.file, csv_);
  EXPECT_EQ(dead.line, 2);
  EXPECT_NO_THROW(read(head + "    force: 1 N\n    load: {column: N, gain: -1}\n"));
  EXPECT_EQ(fault(head + "    force: 1 N\n    load: {column: N}\n").message,
            "the load is nowhere above zero (lines 2 to 4, t = 0 s to 2 s)");
  EXPECT_EQ(fault(head + "    reference: {column: F, unit: N}\n").message,
            "column 'F' is a force (N)");
}

TEST_F(ReadRecording, CallersMayHaveRolesOfTheirOwn) {
  const std::vector<Role> roles = {{.name = "block.x", .dimensions = {dim::length}}};
  const std::string yaml = folder_.write(
      "a.yaml", "file: rig.csv\ncolumns: {time: {column: t}, block.x: {column: v, unit: um}}\n");
  const Document document = Document::read(yaml);
  EXPECT_EQ(read_recording(document.root(), roles).at("block.x")[0], 1e-6);
}

TEST(RecordingFiles, PreslidingLoop) {
  const std::string folder = testing_support::measured_dir() + "/presliding";
  BRISTLE_NEEDS_MEASURED("presliding");
  const Document document = Document::parse(
      "data: {file: test_data_2.txt, columns: {time: {column: Time}, load: {column: Normal}, "
      "position: "
      "{column: Position}, force: {column: Friction}}, window: [8.7 s, 207.75 s]}",
      folder + "/a.yaml");
  const Recording loop = read_recording(document["data"]);
  double sum = 0;
  for (const double force : loop.at("force")) sum += force * force;
  EXPECT_NEAR(static_cast<double>(loop.size()), 39810, 2);
  EXPECT_NEAR(std::sqrt(sum / static_cast<double>(loop.size())), 2.142, 5e-4);
}

}  // namespace
}  // namespace bristle
