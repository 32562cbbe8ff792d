#include "bristle/io/hdf5.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

class Hdf5 : public testing::Test {
 protected:
  void SetUp() override {
    std::random_device random;
    do {
      folder_ = fs::temp_directory_path() / ("bristle_hdf5_test_" + std::to_string(random()));
    } while (!fs::create_directory(folder_));
    path_ = folder_ / "a.h5";
  }
  void TearDown() override {
    if (file_ >= 0) H5Fclose(file_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void open() {
    file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file_, 0);
  }

  std::vector<double> values(const char* name) const {
    const hid_t dataset = H5Dopen2(file_, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    EXPECT_EQ(H5Sget_simple_extent_ndims(space), 1);
    std::vector<double> result(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()), 0);
    H5Sclose(space);
    H5Dclose(dataset);
    return result;
  }

  std::string text(const char* object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object, name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    EXPECT_TRUE(H5Tis_variable_str(type) > 0 && H5Tget_cset(type) == H5T_CSET_UTF8);
    char* held = nullptr;
    EXPECT_GE(H5Aread(attribute, type, static_cast<void*>(&held)), 0);
    std::string result(held == nullptr ? "" : held);
    H5free_memory(held);
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
  }

  double number(const char* name) const {
    double value = 0.0;
    const hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT);
    EXPECT_GE(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), 0);
    H5Aclose(attribute);
    return value;
  }

  int filters(const char* name) const {
    const hid_t dataset = H5Dopen2(file_, name, H5P_DEFAULT);
    const hid_t properties = H5Dget_create_plist(dataset);
    const int count = H5Pget_nfilters(properties);
    H5Pclose(properties);
    H5Dclose(dataset);
    return count;
  }

  std::string name_at(hsize_t index) const {
    std::string name(64, '\0');
    const ssize_t size = H5Lget_name_by_idx(file_, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index,
                                            name.data(), name.size(), H5P_DEFAULT);
    name.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return name;
  }

  fs::path folder_, path_;
  hid_t file_ = -1;
};

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<double> sampled(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::sin(1e-3 * static_cast<double>(i));
  return values;
}

TEST_F(Hdf5, ColumnsAndUnitsAreReadBack) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> t = {0.0, 0.1, 1.0 / 3.0}, v = {-0.0, nan, 5e-324};
  const std::vector<Hdf5Column> columns = {{"v", "µm/s", v}, {"t", "s", t}};
  write_hdf5(path_, columns);
  open();
  EXPECT_EQ(values("t"), t);
  const std::vector<double> read = values("v");
  EXPECT_EQ(std::memcmp(read.data(), v.data(), v.size() * sizeof(double)), 0) << "every bit";
  EXPECT_EQ(text("t", "unit"), "s");
  EXPECT_EQ(text("v", "unit"), "µm/s");
  EXPECT_EQ(name_at(0), "v") << "the order of the columns is kept";
  EXPECT_EQ(name_at(1), "t");
}

TEST_F(Hdf5, AttributesOfTheFile) {
  const std::string long_text(100000, 'x');
  write_hdf5(path_, {},
             {{"scenario", "rig 3"},
              {"empty", ""},
              {"source", long_text},
              {"step", 1e-4},
              {"steps", 7},
              {"partial", true}});
  open();
  EXPECT_EQ(text("/", "scenario"), "rig 3");
  EXPECT_EQ(text("/", "empty"), "");
  EXPECT_EQ(text("/", "source"), long_text);
  EXPECT_EQ(number("step"), 1e-4);
  EXPECT_EQ(number("steps"), 7.0);
  EXPECT_EQ(number("partial"), 1.0);
}

TEST_F(Hdf5, LongColumnsAreCompressed) {
  const std::vector<double> slow(100000, 1.25), wave = sampled(100000), few = sampled(10);
  write_hdf5(path_, std::vector<Hdf5Column>{{"slow", "m", slow}, {"wave", "m", wave}});
  EXPECT_LT(fs::file_size(path_), 900000U) << "1.6 MB without compression";
  open();
  EXPECT_EQ(values("slow"), slow);
  EXPECT_EQ(values("wave"), wave);
  EXPECT_EQ(filters("wave"), 2);
  H5Fclose(file_);
  write_hdf5(path_, std::vector<Hdf5Column>{{"few", "m", few}});
  open();
  EXPECT_EQ(filters("few"), 0);
}

TEST_F(Hdf5, LengthsAroundTheLimits) {
  for (const std::size_t n : {0U, 1U, 511U, 512U, 16383U, 16384U, 16385U}) {
    const std::vector<double> x = sampled(n);
    write_hdf5(path_, std::vector<Hdf5Column>{{"x", "1", x}});
    open();
    EXPECT_EQ(values("x"), x) << n;
    H5Fclose(file_);
    file_ = -1;
  }
}

TEST_F(Hdf5, SlashesMakeGroups) {
  const std::vector<double> x = {1.0};
  write_hdf5(path_, std::vector<Hdf5Column>{{"block/x", "m", x}, {"block/v", "m/s", x}});
  open();
  EXPECT_EQ(values("/block/v"), x);
  EXPECT_EQ(text("block/x", "unit"), "m");
}

TEST_F(Hdf5, SameTableSameBytes) {
  const std::vector<double> wave = sampled(50000);
  const std::vector<Hdf5Column> columns = {{"a/x", "m", wave}, {"few", "s", wave}};
  const Hdf5Attributes attributes = {{"scenario", "rig"}, {"step", 0.1}};
  write_hdf5(path_, columns, attributes);
  const std::string first = content_of(path_);
  ASSERT_FALSE(first.empty());
  // What is left in freed memory and the second that passes must not show.
  const std::vector<std::vector<double>> dirt(64, std::vector<double>(9999, 1.7));
  write_hdf5(folder_ / "another_name.h5", columns, attributes);
  EXPECT_EQ(content_of(folder_ / "another_name.h5"), first);
}

TEST_F(Hdf5, RefusesAPathAndLeavesNothing) {
  testing::internal::CaptureStderr();
  try {
    write_hdf5(folder_ / "none" / "a.h5", {});
    ADD_FAILURE() << "written";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().file, (folder_ / "none" / "a.h5").string());
    EXPECT_NE(std::string(error.what()).find("does not exist"), std::string::npos);
  }
  EXPECT_THROW(write_hdf5(folder_, {}), InputError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Hdf5, RefusesNamesThatCannotBeStored) {
  write_hdf5(path_, {});
  const std::string before = content_of(path_);
  const std::vector<double> x = {1.0};
  testing::internal::CaptureStderr();
  for (const char* name : {"x", "", "x/y", "/"}) {
    try {
      write_hdf5(path_, std::vector<Hdf5Column>{{"x", "m", x}, {name, "m", x}});
      ADD_FAILURE() << "written: " << name;
    } catch (const InputError& error) {
      const std::string wanted = "cannot store the column '" + std::string(name) + "'";
      EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(write_hdf5(path_, {}, {{"", "no name"}}), InputError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(content_of(path_), before);
}

TEST_F(Hdf5, RefusesColumnsOfUnequalLengths) {
  const std::vector<double> two = {1.0, 2.0}, three = {1.0, 2.0, 3.0};
  const std::vector<Hdf5Column> columns = {{"a", "m", two}, {"b", "m", three}};
  EXPECT_THROW(write_hdf5(path_, columns), std::invalid_argument);
  EXPECT_FALSE(fs::exists(path_));
}

// ---- reading --------------------------------------------------------------------------------

Fault read_fault(const fs::path& path, const std::string& name, const Part& part = {}) {
  testing::internal::CaptureStderr();
  Fault result;
  try {
    read_hdf5(path, name, part);
    ADD_FAILURE() << "read: " << name;
  } catch (const InputError& error) {
    result = error.fault();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(result.file, path.string());
  return result;
}

TEST_F(Hdf5, ReadsBackWhatWasWritten) {
  const std::vector<double> wave = sampled(50000);
  write_hdf5(path_, std::vector<Hdf5Column>{{"rig/v", "m/s", wave}, {"t", "", wave}});
  EXPECT_EQ(read_hdf5(path_, "rig/v").values, wave);
  EXPECT_EQ(read_hdf5(path_, "/rig/v").unit, "m/s");
  EXPECT_EQ(read_hdf5(path_, "t").unit, "");
  EXPECT_EQ(hdf5_names(path_), (std::vector<std::string>{"rig/v", "t"}));
}

TEST_F(Hdf5, ReadsColumnsAndRowsOfAMatrixOfAnyType) {
  const hid_t made = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t shape[2] = {3, 2};
  const short numbers[6] = {1, 10, 2, 20, 3, 30};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t set =
      H5Dcreate2(made, "m", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 8);
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t unit = H5Acreate2(set, "units", text, one, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(unit, text, "mm\0\0\0\0\0");
  const hid_t word = H5Dcreate2(made, "word", text, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (const hid_t id : {unit, one, text, set, word, space, made}) {
    H5Idec_ref(id);
  }
  EXPECT_EQ(read_hdf5(path_, "m", {.column = 2}).values, (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(read_hdf5(path_, "m", {.row = 3}).values, (std::vector<double>{3, 30}));
  EXPECT_EQ(read_hdf5(path_, "m", {.row = 3}).unit, "mm");
  EXPECT_EQ(hdf5_names(path_), std::vector<std::string>{"m"});
  EXPECT_EQ(read_fault(path_, "m").message, "a matrix of 3 rows and 2 columns");
  EXPECT_EQ(read_fault(path_, "m", {.column = 3}).message, "no column 3");
  EXPECT_EQ(read_fault(path_, "m", {.column = 3}).expected, "1 to 2");
  EXPECT_EQ(read_fault(path_, "word").message, "not a dataset of numbers");
}

TEST_F(Hdf5, RefusesToReadWhatIsNotThere) {
  const std::vector<double> x = {1.0};
  write_hdf5(path_, std::vector<Hdf5Column>{{"rig/force", "N", x}});
  EXPECT_EQ(read_fault(path_, "rig/forse").message, "no such dataset");
  EXPECT_EQ(read_fault(path_, "rig/forse").nearest, "rig/force");
  for (const char* name : {"", "/", "rig", "rig/", "no/such/thing"}) {
    EXPECT_EQ(read_fault(path_, name).message, "no such dataset") << name;
  }
  EXPECT_EQ(read_fault(folder_ / "none.h5", "x").message,
            "cannot read the file: No such file or directory");
  std::ofstream(folder_ / "text.h5") << "t,v\n0,1\n";
  EXPECT_EQ(read_fault(folder_ / "text.h5", "x").message, "not an HDF5 file, or a damaged one");
}

TEST_F(Hdf5, ADatasetThatClaimsMoreThanItMayIsRefused) {
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t length = hsize_t{1} << 60, chunk = 1024;
  const hid_t space = H5Screate_simple(1, &length, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  const hid_t set = H5Dcreate2(file, "v", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GE(set, 0);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
  try {
    read_hdf5(path_, "v");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().message, "1152921504606846976 values");
    EXPECT_EQ(error.fault().expected, "at most 100000000");
  }
}

TEST_F(Hdf5, GroupsInManyCirclesAreListedToAnEnd) {
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_GE(H5Lcreate_hard(file, "/", file, name, H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  H5Fclose(file);
  EXPECT_TRUE(hdf5_names(path_).empty());  // 3^16 groups were looked into once
}

}  // namespace
}  // namespace bristle
