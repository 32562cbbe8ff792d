// Texts: units, formulas, tables, YAML.

#include <cmath>
#include <optional>
#include <sstream>

#include "bristle/core/unit.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/document.hpp"
#include "bristle/papers/expression.hpp"
#include "targets.hpp"

namespace bristle::fuzz {

void units(std::string_view bytes) {
  std::optional<Unit> unit;
  if (accepted([&] { unit = parse_unit(bytes); })) {
    require(std::isfinite(unit->scale()) && unit->scale() > 0, "a unit has a scale");
    const Unit si = parse_unit(si_unit(unit->dimension));
    require(si.dimension == unit->dimension && si.scale() == 1, "the SI unit reads back");
  }
  for (const Dimension& wanted : {dim::none, dim::length, dim::stiffness, dim::angular_speed}) {
    double value = 0;
    if (accepted([&] { value = parse_quantity(bytes, wanted, {}); })) {
      require(std::isfinite(value), "a quantity is finite");
    }
  }
  const NumberScan scan = scan_number(bytes);
  require(scan.length <= bytes.size(), "a number lies within its text");
}

void expression(std::string_view bytes) {
  accepted([&] {
    const papers::Expression expression{std::string(bytes)};
    for (const std::string& name : expression.names()) require(!name.empty(), "a name has letters");
    const auto lookup = [](const std::string& name) -> std::optional<papers::Values> {
      if (name == "t") return papers::Values{0, 1, 2, 3, 4};
      if (name == "x") return papers::Values{0, 0.5, -0.25, 1e300, std::nan("")};
      if (name == "none") return papers::Values{};
      if (name.size() == 1) return papers::Values{static_cast<double>(name[0] - 'a')};
      return {};
    };
    require(expression.evaluate(lookup).size() <= (1U << 24U),
            "a value is not larger than its parts");
  });
}

void csv(std::string_view bytes) {
  for (const bool blanks : {false, true}) {
    const TextLayout layout{.blanks = blanks, .bare = blanks, .only = {}};
    Table table;
    if (!accepted([&] { table = parse_csv(bytes, "input.csv", layout); })) continue;
    require(table.names.size() == table.columns.size(), "each column has a name");
    require(table.lines.size() == table.rows(), "each row has a line");
    for (const auto& column : table.columns) {
      require(column.size() == table.rows(), "columns have the same length");
      for (const double value : column) require(std::isfinite(value), "cells are finite");
    }
    for (std::size_t i = 0; i < table.names.size(); ++i) table.names[i] = "c" + std::to_string(i);
    std::ostringstream text;
    write_csv(text, table);
    require(parse_csv(text.str(), "again.csv").columns == table.columns, "numbers read back");
  }
}

void document(std::string_view bytes) {
  const std::string file = (scratch() / "input.yaml").string();
  accepted([&] {
    const Document read = Document::parse(bytes, file);
    const std::string text = read.dump();
    require(Document::parse(text, file).dump() == text, "a document reads back");
  });
  // The first line as a value, and as a place for one.
  const std::string first(bytes.substr(0, bytes.find('\n')));
  accepted([&] {
    Document changed = Document::parse("a: {b: [1, {c: 2}]}\n", file);
    changed.set("a.b.1.c", first);
    changed.dump();
  });
  accepted([&] {
    Document changed = Document::parse("a: {b: [1, {c: 2}]}\n", file);
    changed.set(first, "3");
    changed.dump();
  });
}

}  // namespace bristle::fuzz
