#include "bristle/io/csv.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <locale>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

class ScratchFolder {
 public:
  ScratchFolder() {
    std::random_device random;
    do {
      path_ = fs::temp_directory_path() / ("bristle_csv_test_" + std::to_string(random()));
    } while (!fs::create_directory(path_));
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ScratchFolder(ScratchFolder&&) = delete;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Fault parse_fault(std::string_view text) {
  try {
    parse_csv(text, "a.csv");
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().file, "a.csv");
    return error.fault();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

Fault read_fault(const fs::path& path) {
  try {
    read_csv(path);
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().file, path.string());
    return error.fault();
  }
  ADD_FAILURE() << "accepted: " << path;
  return {};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string written(const Table& table) {
  std::ostringstream out;
  write_csv(out, table);
  return out.str();
}

TEST(ParseCsv, ColumnsAndLines) {
  const Table table = parse_csv("# rig 3\n\nt,F\n0,1.5\n  # pause\n \t \n1,-2e3\n", "a.csv");
  EXPECT_EQ(table.file, "a.csv");
  EXPECT_EQ(table.names, (Names{"t", "F"}));
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.at("t"), (Numbers{0, 1}));
  EXPECT_EQ(table.at("F"), (Numbers{1.5, -2000}));
  EXPECT_EQ(table.lines, (std::vector<int>{4, 7}));
  EXPECT_TRUE(table.has("F"));
  EXPECT_FALSE(table.has("f"));
}

TEST(ParseCsv, UnitsBecomeSi) {
  const Table table =
      parse_csv("t [ms],v[mm/s], phi [ deg ] ,mu [-],x []\n1,0.7,180,0.3,2\n", "a.csv");
  EXPECT_EQ(table.names, (Names{"t", "v", "phi", "mu", "x"}));
  EXPECT_EQ(table.at("t"), Numbers{1e-3});
  EXPECT_EQ(table.at("v"), Numbers{0.7e-3});
  EXPECT_DOUBLE_EQ(table.at("phi")[0], 3.14159265358979323846);
  EXPECT_EQ(table.at("mu"), Numbers{0.3});
  EXPECT_EQ(table.at("x"), Numbers{2});
}

TEST(ParseCsv, SeparatorComesFromTheHeader) {
  for (const std::string_view text : {"a,b\n1,2\n", "a;b\n1;2\n", "a\tb\n1\t2\n"}) {
    const Table table = parse_csv(text, "a.csv");
    EXPECT_EQ(table.names, (Names{"a", "b"})) << text;
    EXPECT_EQ(table.at("b"), Numbers{2}) << text;
  }
  EXPECT_EQ(parse_csv("a\n1\n2", "a.csv").at("a"), (Numbers{1, 2}));
}

TEST(ParseCsv, WindowsTextIsAccepted) {
  const Table table = parse_csv("\xEF\xBB\xBFt,F [kN]\r\n1,2\r\n\r\n3,4", "a.csv");
  EXPECT_EQ(table.names, (Names{"t", "F"}));
  EXPECT_EQ(table.at("F"), (Numbers{2000, 4000}));
  EXPECT_EQ(table.lines, (std::vector<int>{2, 4}));
}

TEST(ParseCsv, QuotedNames) {
  const Table table =
      parse_csv("\"a, b\",\"say \"\"x\"\"\",\"v [mm/s]\",\"1\"\n1,2,3,4\n", "a.csv");
  EXPECT_EQ(table.names, (Names{"a, b", "say \"x\"", "v", "1"}));
  EXPECT_EQ(table.at("v"), Numbers{0.003});
}

TEST(ParseCsv, BlanksAroundCellsAndLeadingPlus) {
  const Table table = parse_csv(" a , b \n +1 ,\t2 \n", "a.csv");
  EXPECT_EQ(table.at("a"), Numbers{1});
  EXPECT_EQ(table.at("b"), Numbers{2});
}

TEST(ParseCsv, HeaderAloneIsATableOfNoRows) {
  const Table table = parse_csv("a,b", "a.csv");
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_EQ(table.columns.size(), 2u);
}

TEST(ParseCsv, EmptyText) {
  for (const std::string_view text : {"", "\n\n", "# only a comment\n", "\xEF\xBB\xBF"}) {
    const Fault fault = parse_fault(text);
    EXPECT_EQ(fault.message, "empty file");
    EXPECT_EQ(fault.expected, "a row of column names, then numbers");
  }
}

TEST(ParseCsv, MissingHeaderIsNoticed) {
  const Fault fault = parse_fault("# t, F\n0,1.5\n1,2\n");
  EXPECT_TRUE(contains(fault.message, "must name a column")) << fault.message;
  EXPECT_EQ(fault.line, 2);
  EXPECT_EQ(fault.value, "0");
}

TEST(ParseCsv, DuplicateColumn) {
  const Fault fault = parse_fault("v,F,v [mm/s]\n1,2,3\n");
  EXPECT_EQ(fault.message, "duplicate column");
  EXPECT_EQ(fault.key, "v");
  EXPECT_EQ(fault.value, "v [mm/s]");
  EXPECT_EQ(fault.line, 1);
}

TEST(ParseCsv, ColumnWithoutName) {
  EXPECT_EQ(parse_fault("a,,c\n").message, "column 2 has no name");
  EXPECT_EQ(parse_fault("a,b,\n").message, "column 3 has no name");
  EXPECT_EQ(parse_fault("a,[mm]\n").message, "column 2 has no name");
}

TEST(ParseCsv, BadUnits) {
  const Fault unknown = parse_fault("# x\nF [kn]\n1\n");
  EXPECT_EQ(unknown.message, "unknown unit 'kn'");
  EXPECT_EQ(unknown.nearest, "kN");
  EXPECT_EQ(unknown.key, "F");
  EXPECT_EQ(unknown.value, "kn");
  EXPECT_EQ(unknown.line, 2);
  EXPECT_TRUE(contains(parse_fault("v [mm\n").message, "must end the column's name"));
  EXPECT_TRUE(contains(parse_fault("v [mm] x\n").message, "must end the column's name"));
}

TEST(ParseCsv, UnclosedQuote) {
  EXPECT_TRUE(contains(parse_fault("\"a,b\n1,2\n").message, "never closed"));
}

TEST(ParseCsv, RaggedRowSaysHowManyCells) {
  const Fault brief = parse_fault("a,b,c\n1,2,3\n1,2\n");
  EXPECT_EQ(brief.message, "ragged row: it has 2 cells");
  EXPECT_EQ(brief.expected, "3 cells, as in the header");
  EXPECT_EQ(brief.line, 3);
  EXPECT_EQ(brief.key, "c");
  EXPECT_EQ(brief.value, "1,2");
  const Fault wide = parse_fault("a,b\n1,2,3\n");
  EXPECT_EQ(wide.message, "ragged row: it has 3 cells");
  EXPECT_EQ(wide.expected, "2 cells, as in the header");
  EXPECT_EQ(parse_fault("a,b\n1\n").message, "ragged row: it has 1 cell");
  EXPECT_EQ(parse_fault("a,b\r\n1\r\n").value, "1");
  EXPECT_EQ(parse_fault("a,b\n1,2,\n").message, "ragged row: it has 3 cells");
}

TEST(ParseCsv, CellThatIsNoNumber) {
  for (const std::string_view cell :
       {"x", "1x", "1 2", "0x10", "1.2.3", "null", "\"1\"", "1 # c"}) {
    const Fault fault = parse_fault("a,b [mm]\n1,2\n3," + std::string(cell) + "\n");
    EXPECT_EQ(fault.message, "not a number") << cell;
    EXPECT_EQ(fault.key, "b");
    EXPECT_EQ(fault.value, cell);
    EXPECT_EQ(fault.line, 3);
    EXPECT_EQ(fault.expected, "a finite number with a decimal point");
  }
}

TEST(ParseCsv, DecimalCommaIsRefused) {
  const Fault fault = parse_fault("a;b\n1,5;2\n");
  EXPECT_EQ(fault.value, "1,5");
  EXPECT_TRUE(contains(fault.expected, "decimal point"));
}

TEST(ParseCsv, CellThatIsNotFinite) {
  for (const std::string_view cell : {"nan", "NaN", "inf", "-inf", "Infinity"}) {
    const Fault fault = parse_fault("a\n" + std::string(cell) + "\n");
    EXPECT_EQ(fault.message, "not a finite number") << cell;
    EXPECT_EQ(fault.value, cell);
  }
  EXPECT_TRUE(contains(parse_fault("a\n1e999\n").message, "range of double"));
}

TEST(ParseCsv, EmptyCell) {
  for (const std::string_view text : {"a,b,c\n1,,3\n", "a\tb\tc\n1\t\t3\n"}) {
    const Fault fault = parse_fault(text);
    EXPECT_EQ(fault.message, "empty cell");
    EXPECT_EQ(fault.key, "b");
    EXPECT_EQ(fault.line, 2);
  }
  EXPECT_EQ(parse_fault("a\tb\n1\t\n").key, "b") << "a trailing tab opens a cell";
  EXPECT_EQ(parse_fault("a\tb\n\t1\n").key, "a");
}

TEST(Table, UnknownColumnSuggestsTheNearest) {
  const Table table = parse_csv("time,force\n1,2\n", "a.csv");
  try {
    table.at("Force");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().message, "no such column");
    EXPECT_EQ(error.fault().file, "a.csv");
    EXPECT_EQ(error.fault().key, "Force");
    EXPECT_EQ(error.fault().expected, "one of 'time', 'force'");
    EXPECT_EQ(error.fault().nearest, "force");
  }
}

TEST(Table, EmptyTableHasNothing) {
  const Table table;
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_FALSE(table.has("a"));
  EXPECT_THROW(table.at("a"), InputError);
}

TEST(ReadCsv, ReadsAFile) {
  const ScratchFolder folder;
  std::ofstream(folder / "a.csv", std::ios::binary) << "t [ms],F\r\n1,2\r\n";
  const Table table = read_csv(folder / "a.csv");
  EXPECT_EQ(table.file, (folder / "a.csv").string());
  EXPECT_EQ(table.at("t"), Numbers{1e-3});
}

TEST(ReadCsv, MissingFileFolderAndEmptyFile) {
  const ScratchFolder folder;
  EXPECT_TRUE(contains(read_fault(folder / "none.csv").message, "No such file"));
  EXPECT_TRUE(contains(read_fault(folder.path()).message, "it is a folder"));
  std::ofstream(folder / "empty.csv").flush();
  EXPECT_EQ(read_fault(folder / "empty.csv").message, "empty file");
}

TEST(WriteCsv, SeventeenDigits) {
  const Table table{.names = {"t", "F"}, .columns = {{0.1, 1}, {-2e300, 1.0 / 3.0}}};
  EXPECT_EQ(written(table),
            "t,F\n0.10000000000000001,-2.0000000000000001e+300\n"
            "1,0.33333333333333331\n");
}

TEST(WriteCsv, NumbersAreReadBackUnchanged) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-1000, 1000);
  Table table{.names = {"a", "b, \"c\"", "#d"}, .columns = {{}, {}, {}}};
  for (int i = 0; i < 3000; ++i) {
    table.columns[static_cast<std::size_t>(i % 3)].push_back(
        std::ldexp(mantissa(random), exponent(random)));
  }
  const Table again = parse_csv(written(table), "a.csv");
  EXPECT_EQ(again.names, table.names);
  EXPECT_EQ(again.columns, table.columns);
}

TEST(WriteCsv, NanIsNull) {
  const Table table{.names = {"a", "b"},
                    .columns = {{std::numeric_limits<double>::quiet_NaN()}, {1}}};
  EXPECT_EQ(written(table), "a,b\nnull,1\n");
}

TEST(WriteCsv, NumberAsNameIsQuoted) {
  EXPECT_EQ(written({.names = {"1"}, .columns = {{2}}}), "\"1\"\n2\n");
}

class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(WriteCsv, LocaleDoesNotMatter) {
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new DecimalComma));
  write_csv(out, {.names = {"a"}, .columns = {{1.5}}});
  EXPECT_EQ(out.str(), "a\n1.5\n");
}

TEST(WriteCsv, UnevenTablesAreRefused) {
  try {
    written({.names = {"a", "b"}, .columns = {{1, 2}, {1}}});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().key, "b");
    EXPECT_TRUE(contains(error.what(), "has 1 rows; expected 2 rows")) << error.what();
  }
  EXPECT_THROW(written({.names = {"a"}, .columns = {}}), InputError);
}

TEST(WriteCsv, BrokenStreamIsReported) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(write_csv(out, {.names = {"a"}, .columns = {{1}}}), InputError);
}

// Two seconds for a tenth of a million rows: far from tight, yet quadratic growth cannot pass.
TEST(ParseCsv, LargeTablesAreFast) {
  constexpr int rows = 100000;
  std::string text = "t [ms],x [mm],v,F\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + ",0.123456789012345,-1.5e-3,42\n";
  const auto start = std::chrono::steady_clock::now();
  const Table table = parse_csv(text, "a.csv");
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(table.rows(), static_cast<std::size_t>(rows));
  EXPECT_EQ(table.at("t").back(), (rows - 1) / 1000.0);
  EXPECT_EQ(table.lines.back(), rows + 1);
  EXPECT_LT(elapsed.count(), 2.0);
}

// ---- other layouts --------------------------------------------------------------------------

TEST(TextLayouts, BlanksSeparateWhereNothingElseDoes) {
  const TextLayout layout{.blanks = true};
  const Table table =
      parse_csv("  t [ms]  v[mm/s] F [N s/m]\n 0\t 1   2 \n5 6  7\n", "a.txt", layout);
  EXPECT_EQ(table.names, (Names{"t", "v", "F"}));
  EXPECT_EQ(table.units, (Names{"ms", "mm/s", "N s/m"}));
  EXPECT_EQ(table.at("t"), (Numbers{0, 0.005}));
  EXPECT_EQ(table.at("v"), (Numbers{0.001, 0.006}));
  EXPECT_EQ(table.at("F"), (Numbers{2, 7}));
  EXPECT_EQ(parse_csv("slip speed; F\n1;2\n", "a.txt", layout).names, (Names{"slip speed", "F"}));
}

TEST(TextLayouts, ARowOfNumbersNamesColumnsByNumber) {
  const TextLayout layout{.blanks = true, .bare = true};
  const Table blanks = parse_csv("# rig\n1 2e0\n3 4\n", "a.txt", layout);
  EXPECT_EQ(blanks.names, (Names{"1", "2"}));
  EXPECT_EQ(blanks.at("2"), (Numbers{2, 4}));
  EXPECT_EQ(blanks.lines, (std::vector<int>{2, 3}));
  EXPECT_EQ(parse_csv("1,2\n3,4\n", "a.csv", layout).at("1"), (Numbers{1, 3}));
  EXPECT_EQ(parse_csv("t,v\n3,4\n", "a.csv", layout).at("t"), Numbers{3});
}

TEST(TextLayouts, NobodyLooksAtColumnsThatAreNotWanted) {
  const TextLayout layout{.blanks = true, .bare = true, .only = {"F", "t"}};
  const Table table = parse_csv("date, t [ms], temp [degC], F\n1 May, 5, cold, 7\n2 May, 6, , 8\n",
                                "a.csv", layout);
  EXPECT_EQ(table.names, (Names{"t", "F"}));
  EXPECT_EQ(table.units, (Names{"ms", ""}));
  EXPECT_EQ(table.at("F"), (Numbers{7, 8}));
  EXPECT_EQ(table.at("t"), (Numbers{0.005, 0.006}));
  try {
    parse_csv("date, t, f\n1 May, 5, 7\n", "a.csv", layout);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().message, "no such column");
    EXPECT_EQ(error.fault().expected, "one of 'date', 't', 'f'");
    EXPECT_EQ(error.fault().nearest, "f");
  }
  try {
    parse_csv("date  t  F\nmay 1 2\njune 1\n", "a.csv", layout);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().line, 3);
    EXPECT_EQ(error.fault().message, "ragged row: it has 2 cells");
    EXPECT_EQ(error.fault().key, "F");
  }
}

TEST(ParseCsv, ControlCharactersInNames) {
  const auto fault = [](std::string_view text) {
    try {
      parse_csv(text, "a.csv");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_TRUE(contains(fault("t,v\x1b[2J\n1,2\n"), "a control character in the name"));
  EXPECT_TRUE(contains(fault("t,v\u009b\n1,2\n"), "a control character in the name"));
}

std::string wide_table(std::size_t columns) {
  std::string header, row;
  for (std::size_t i = 0; i < columns; ++i) {
    header += 'c' + std::to_string(i) + (i + 1 < columns ? "," : "\n");
    row += i + 1 < columns ? "1," : "1\n";
  }
  return header + row;
}

TEST(ParseCsv, AsManyColumnsAsAreAllowed) {
  const Table table = parse_csv(wide_table(100'000), "a.csv");  // quadratic once: 18 s
  EXPECT_EQ(table.names.size(), 100'000u);
  try {
    parse_csv(wide_table(100'001), "a.csv");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "a.csv:1: a table of 100001 columns; expected at most 100000");
  }
}

}  // namespace
}  // namespace bristle
