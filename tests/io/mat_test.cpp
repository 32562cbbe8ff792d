#include "bristle/io/mat.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <matio.h>

#include "bristle/core/error.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<double>;

matvar_t* array(const char* name, matio_classes kind, matio_types type,
                std::vector<std::size_t> shape, const void* data, int options = 0) {
  return Mat_VarCreate(name, kind, type, static_cast<int>(shape.size()), shape.data(),
                       const_cast<void*>(data), options);
}

matvar_t* doubles(const char* name, std::vector<std::size_t> shape, const Numbers& values) {
  return array(name, MAT_C_DOUBLE, MAT_T_DOUBLE, std::move(shape), values.data());
}

void put(mat_t* file, matvar_t* variable, matio_compression compression) {
  ASSERT_NE(variable, nullptr);
  ASSERT_EQ(Mat_VarWrite(file, variable, compression), 0);
  Mat_VarFree(variable);
}

class Mat : public testing::TestWithParam<mat_ft> {
 protected:
  void SetUp() override {
    mat_t* const file = Mat_CreateVer(path_.c_str(), nullptr, GetParam());
    ASSERT_NE(file, nullptr);
    const matio_compression packed = MAT_COMPRESSION_ZLIB;
    put(file, doubles("stands", {4, 1}, {1, 2, 3, 4.5}), packed);
    put(file, doubles("lies", {1, 4}, {1, 2, 3, 4.5}), MAT_COMPRESSION_NONE);
    put(file, doubles("matrix", {3, 2}, {1, 2, 3, 10, 20, 30}), packed);
    put(file, doubles("cube", {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), packed);
    put(file, doubles("scalar", {1, 1}, {7}), packed);
    const std::vector<std::int16_t> counts = {-3, 0, 32767};
    put(file, array("counts", MAT_C_INT16, MAT_T_INT16, {3, 1}, counts.data()), packed);
    const std::vector<float> singles = {0.5F, -2.0F};
    put(file, array("singles", MAT_C_SINGLE, MAT_T_SINGLE, {2, 1}, singles.data()), packed);
    put(file, array("words", MAT_C_CHAR, MAT_T_UINT8, {1, 5}, "hello"), packed);
    std::vector<const char*> fields = {"force", "note"};
    std::vector<std::size_t> one = {1, 1};
    matvar_t* const log = Mat_VarCreateStruct("log", 2, one.data(), fields.data(), 2);
    Mat_VarSetStructFieldByName(log, "force", 0, doubles("force", {2, 1}, {5, 6}));
    Mat_VarSetStructFieldByName(log, "note", 0,
                                array("note", MAT_C_CHAR, MAT_T_UINT8, {1, 2}, "ok"));
    put(file, log, packed);
    Mat_Close(file);
  }

  Fault fault(const std::string& name, const Part& part = {}) const {
    return file_fault(path_, name, part);
  }
  static Fault file_fault(const fs::path& path, const std::string& name, const Part& part = {}) {
    testing::internal::CaptureStderr();
    Fault result;
    try {
      read_mat(path, name, part);
      ADD_FAILURE() << "read: " << name;
    } catch (const InputError& error) {
      result = error.fault();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(result.file, path.string());
    return result;
  }

  testing_support::ScratchFolder folder_;
  fs::path path_ = folder_ / "a.mat";
};

TEST_P(Mat, ReadsVectorsAndPartsOfMatrices) {
  EXPECT_EQ(read_mat(path_, "stands").values, (Numbers{1, 2, 3, 4.5}));
  EXPECT_EQ(read_mat(path_, "lies").values, (Numbers{1, 2, 3, 4.5}));
  EXPECT_EQ(read_mat(path_, "stands").unit, "");
  EXPECT_EQ(read_mat(path_, "scalar").values, Numbers{7});
  EXPECT_EQ(read_mat(path_, "matrix", {.column = 2}).values, (Numbers{10, 20, 30}));
  EXPECT_EQ(read_mat(path_, "matrix", {.row = 3}).values, (Numbers{3, 30}));
  EXPECT_EQ(read_mat(path_, "counts").values, (Numbers{-3, 0, 32767}));
  EXPECT_EQ(read_mat(path_, "singles").values, (Numbers{0.5, -2}));
  EXPECT_EQ(read_mat(path_, "log.force").values, (Numbers{5, 6}));
}

TEST_P(Mat, NamesWhatIsThere) {
  std::vector<std::string> names = mat_names(path_);
  std::sort(names.begin(), names.end());  // 7.3 keeps them sorted, 5 as written
  EXPECT_EQ(names, (std::vector<std::string>{"counts", "cube", "lies", "log.force", "matrix",
                                             "scalar", "singles", "stands"}));
}

TEST_P(Mat, RefusesWhatIsNotOneColumnOfNumbers) {
  EXPECT_EQ(fault("stand").message, "no such variable");
  EXPECT_EQ(fault("stand").nearest, "stands");
  EXPECT_NE(fault("stand").expected.find("'log.force'"), std::string::npos);
  EXPECT_EQ(fault("log.speed").message, "no such variable");
  EXPECT_EQ(fault("stands.x").message, "no such variable");
  EXPECT_EQ(fault("").message, "no such variable");
  EXPECT_EQ(fault("log").message, "not an array of real numbers");
  EXPECT_EQ(fault("words").message, "not an array of real numbers");
  EXPECT_EQ(fault("matrix").message, "a matrix of 3 rows and 2 columns");
  EXPECT_EQ(fault("matrix").expected, "which column, 1 to 2, or row, 1 to 3");
  EXPECT_EQ(fault("matrix", {.column = 3}).message, "no column 3");
  EXPECT_EQ(fault("matrix", {.column = -1}).message, "no column -1");
  EXPECT_EQ(fault("matrix", {.column = 1, .row = 1}).message, "a row and a column");
  EXPECT_EQ(fault("cube").message, "an array of 3 dimensions");
}

TEST_P(Mat, RefusesFilesThatAreNone) {
  EXPECT_EQ(file_fault(folder_ / "none.mat", "t").message,
            "cannot read the file: No such file or directory");
  EXPECT_EQ(file_fault(folder_ / "", "t").message,
            "cannot read the file: it is a folder, not a file");
  EXPECT_NE(file_fault(folder_.write("b.mat", "time,force\n0,1\n"), "t").message, "");
  EXPECT_NE(file_fault(folder_.write("c.mat", ""), "t").message, "");
}

TEST_P(Mat, ADamagedFileIsAnError) {
  std::ifstream in(path_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (const std::size_t length : {whole.size() / 2, whole.size() / 4, std::size_t{200}}) {
    const std::string path = folder_.write("cut.mat", std::string_view(whole).substr(0, length));
    file_fault(path, "log.force");
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, Mat, testing::Values(MAT_FT_MAT5, MAT_FT_MAT73),
                         [](const auto& version) {
                           return version.param == MAT_FT_MAT5 ? "Version5" : "Version73";
                         });

TEST(MatFile, AnArrayThatClaimsMoreThanItMayIsRefused) {
  const testing_support::ScratchFolder folder;
  // Version 4: kind, rows, columns, imaginary part, length of the name.
  const std::int32_t head[] = {0, 1 << 30, 4, 0, 2};
  std::string bytes(reinterpret_cast<const char*>(head), sizeof head);
  bytes += std::string("x\0", 2) + std::string(64, '\1');
  const std::string path = folder.write("a.mat", bytes);
  try {
    read_mat(path, "x");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().message, "1073741824 values");
    EXPECT_EQ(error.fault().expected, "at most 100000000");
  }
}

}  // namespace
}  // namespace bristle
