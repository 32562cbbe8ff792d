// Reading values out of a document, and every message that refuses one.

#include "bristle/io/document.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bristle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <class Read>
std::string refusal(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

Document parse(std::string_view text) { return Document::parse(text, "a.yaml"); }

constexpr const char* slide = R"(# a block on a belt
body:
  mass: 2 kg
  box: [10 mm, 0.02, 3 cm]
  fixed: no
solver: {method: rk4, steps: 1e3, rtol: 1e-6}
contacts:
  - friction: {law: lugre, mu_s: 0.3}
  - friction:
      law: dahl
      minus:
        mu_k: 0.1
empty:
)";

TEST(Node, KnowsItsPlace) {
  const Document doc = parse(slide);
  const Node mu = doc["contacts"].items()[1]["friction"]["minus"]["mu_k"];
  EXPECT_TRUE(mu.exists() && mu.is_scalar() && !mu.is_map() && !mu.is_list());
  EXPECT_EQ(mu.path(), "contacts.1.friction.minus.mu_k");
  EXPECT_EQ(mu.name(), "mu_k");
  EXPECT_EQ(mu.file(), "a.yaml");
  EXPECT_EQ(mu.line(), 12);
  EXPECT_STREQ(InputError(mu.fault("too small")).what(),
               "a.yaml:12: key 'contacts.1.friction.minus.mu_k' = '0.1': too small");
  EXPECT_EQ(doc["contacts"].line(), 7) << "of its key, not of its first element";
  EXPECT_TRUE(doc["contacts"].is_list());
  EXPECT_EQ(doc["contacts"].items()[1].line(), 9);
  EXPECT_EQ(doc["contacts"].items()[1].name(), "1");
  EXPECT_TRUE(doc["body"].is_map());
  EXPECT_EQ(parse("a.b: 1")["a.b"].name(), "a.b");
}

TEST(Node, ReadsValues) {
  const Document doc = parse(slide);
  EXPECT_EQ(doc["body"]["mass"].quantity(dim::mass, above(0)), 2);
  EXPECT_EQ(doc["body"]["mass"].quantity(dim::mass, 7, above(0)), 2);
  EXPECT_THAT(doc["body"]["box"].quantities(dim::length, 3), ElementsAre(0.01, 0.02, 0.03));
  EXPECT_THAT(doc["body"]["mass"].quantities(dim::mass), ElementsAre(2));
  EXPECT_FALSE(doc["body"]["fixed"].flag());
  EXPECT_EQ(doc["solver"]["method"].word({"euler", "rk4"}), "rk4");
  EXPECT_EQ(doc["solver"]["steps"].integer(at_least(1)), 1000);
  EXPECT_EQ(doc["solver"]["rtol"].number(), 1e-6);
  EXPECT_EQ(doc["body"]["mass"].text(), "2 kg");
  for (const char* yes : {"true", "Yes", "ON", "'on'"}) {
    EXPECT_TRUE(parse(std::string("a: ") + yes)["a"].flag()) << yes;
  }
  EXPECT_EQ(parse("a: ''")["a"].text(), "");
  EXPECT_EQ(parse("a: -2147483648")["a"].integer(), -2147483647 - 1);
}

TEST(Node, FallbacksStandInForWhatIsMissing) {
  const Document doc = parse("a: 1");
  const Node none = doc["no"]["such"]["key"];
  EXPECT_FALSE(none.exists() || none.is_scalar() || none.is_map() || none.is_list());
  EXPECT_EQ(none.path(), "no.such.key");
  EXPECT_EQ(none.quantity(dim::mass, 3.0, above(5)), 3);
  EXPECT_EQ(none.number(0.5), 0.5);
  EXPECT_EQ(none.integer(4), 4);
  EXPECT_TRUE(none.flag(true));
  EXPECT_EQ(none.text("x"), "x");
  EXPECT_EQ(none.word({"a", "b"}, "b"), "b");
  EXPECT_THAT(none.quantities(dim::length, 2, {}, {1, 2}), ElementsAre(1, 2));
  EXPECT_THAT(none.items(), IsEmpty());
  EXPECT_THAT(none.entries(), IsEmpty());
  EXPECT_THAT(none.settings(), IsEmpty());
  EXPECT_FALSE(Node().exists());
  EXPECT_EQ(refusal([] { Node().number(); }),
            "missing; expected a dimensionless number, for example '0.3' or '30 %'");
}

TEST(Node, MissingNamesTheMapThatLacksIt) {
  const Document doc = parse(slide);
  EXPECT_EQ(
      refusal([&] { doc["body"]["length"].quantity(dim::length); }),
      "a.yaml:2: key 'body.length': missing; expected a length, for example '1 m', or a plain "
      "number in SI");
  EXPECT_EQ(refusal([&] {
              doc["contacts"].items()[1]["shape"]["kind"].word({"a", "b"});
            }),
            "a.yaml:9: key 'contacts.1.shape.kind': missing; expected one of 'a', 'b'");
  EXPECT_EQ(refusal([&] { doc["x"].integer(); }),
            "a.yaml:2: key 'x': missing; expected a whole number");
  EXPECT_EQ(refusal([&] { doc["x"].flag(); }),
            "a.yaml:2: key 'x': missing; expected true or false");
  EXPECT_EQ(refusal([&] { doc["x"].text(); }),
            "a.yaml:2: key 'x': missing; expected a word or text");
  EXPECT_EQ(
      refusal([&] { doc["x"].quantities(dim::time); }),
      "a.yaml:2: key 'x': missing; expected a list, each a time, for example '1 s', or a plain "
      "number in SI");
  EXPECT_EQ(refusal([&] { doc["x"].required("a list of bodies"); }),
            "a.yaml:2: key 'x': missing; expected a list of bodies");
  EXPECT_EQ(doc["body"].required("a map").path(), "body");
}

TEST(Node, WrongKindsAreNamed) {
  const Document doc = parse(slide);
  const std::string mass = "; expected a mass, for example '1 kg', or a plain number in SI";
  EXPECT_EQ(refusal([&] { doc["body"].quantity(dim::mass); }),
            "a.yaml:2: key 'body': a map" + mass);
  EXPECT_EQ(refusal([&] { doc["contacts"].quantity(dim::mass, 1.0); }),
            "a.yaml:7: key 'contacts': a list" + mass);
  EXPECT_EQ(refusal([&] { doc["empty"].quantity(dim::mass, 1.0); }),
            "a.yaml:13: key 'empty': no value" + mass);
  EXPECT_EQ(refusal([&] { doc["solver"]["method"]["name"]; }),
            "a.yaml:6: key 'solver.method' = 'rk4': one value; expected a map of keys to values");
  EXPECT_EQ(refusal([&] { doc["contacts"]["friction"]; }),
            "a.yaml:7: key 'contacts': a list; expected a map of keys to values");
  EXPECT_EQ(refusal([&] { doc["contacts"].entries(); }),
            "a.yaml:7: key 'contacts': a list; expected a map of keys to values");
  EXPECT_EQ(refusal([&] { doc["body"].items(); }), "a.yaml:2: key 'body': a map; expected a list");
  EXPECT_EQ(refusal([&] { doc["body"]["mass"].items(); }),
            "a.yaml:3: key 'body.mass' = '2 kg': one value; expected a list");
}

TEST(Node, KeyWithoutValueIsAnEmptyMapOrList) {
  const Document doc = parse("empty:\n");
  EXPECT_TRUE(doc["empty"].is_scalar());
  EXPECT_FALSE(doc["empty"]["x"].exists());
  EXPECT_THAT(doc["empty"].items(), IsEmpty());
  EXPECT_THAT(doc["empty"].entries(), IsEmpty());
  EXPECT_THAT(doc["empty"].settings(), IsEmpty());
  EXPECT_EQ(refusal([&] { doc["empty"]["x"].flag(); }),
            "a.yaml:1: key 'empty.x': missing; expected true or false");
}

TEST(Node, BadValues) {
  const auto with = [](const std::string& value) { return parse("k: " + value)["k"]; };
  EXPECT_EQ(refusal([&] { with("-1 kg").quantity(dim::mass, above(0)); }),
            "a.yaml:1: key 'k' = '-1 kg': out of range; expected more than 0 kg");
  EXPECT_EQ(refusal([&] { with("3").number(between(0, 1)); }),
            "a.yaml:1: key 'k' = '3': out of range; expected at least 0 and at most 1");
  EXPECT_EQ(
      refusal([&] { with("2 km").quantity(dim::length, inside(-1, 1e3)); }),
      "a.yaml:1: key 'k' = '2 km': out of range; expected more than -1 m and less than 1000 m");
  EXPECT_EQ(refusal([&] { with("3").integer(at_most(2)); }),
            "a.yaml:1: key 'k' = '3': out of range; expected at most 2");
  EXPECT_EQ(refusal([&] { with("2.5").integer(); }),
            "a.yaml:1: key 'k' = '2.5': not a whole number; expected a whole number");
  EXPECT_EQ(refusal([&] { with("1e10").integer(); }),
            "a.yaml:1: key 'k' = '1e10': too large; expected a whole number");
  EXPECT_EQ(refusal([&] { with("many").integer(); }),
            "a.yaml:1: key 'k' = 'many': not a number; expected a whole number");
  EXPECT_EQ(refusal([&] { with("maybe").flag(); }),
            "a.yaml:1: key 'k' = 'maybe': neither true nor false; expected true or false");
  EXPECT_EQ(
      refusal([&] {
        with("rk5").word({"euler", "rk4"});
      }),
      "a.yaml:1: key 'k' = 'rk5': no such choice; expected one of 'euler', 'rk4'; did you mean "
      "'rk4'?");
  EXPECT_EQ(
      refusal([&] { with("1 s").quantity(dim::length); }),
      "a.yaml:1: key 'k' = '1 s': unit 's' has the wrong dimension: time (s) instead of length "
      "(m); expected a length, for example '1 m', or a plain number in SI");
  EXPECT_EQ(refusal([&] { with("[1, 2]").quantities(dim::length, 3); }),
            "a.yaml:1: key 'k': 2 values; expected 3 values");
  EXPECT_EQ(refusal([&] { with("1").quantities(dim::length, 2); }),
            "a.yaml:1: key 'k' = '1': 1 value; expected 2 values");
  EXPECT_EQ(refusal([&] { with("[1,\n  -2]").quantities(dim::length, 2, at_least(0)); }),
            "a.yaml:2: key 'k.1' = '-2': out of range; expected at least 0 m");
}

TEST(Node, SettingsOfALaw) {
  const Document doc = parse("friction:\n  law: lugre\n  mu_s: 0.3\n  minus:\n    mu_k: 1 %\n");
  const Node friction = doc["friction"];
  const std::vector<Setting> settings = friction.settings({"law"});
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].key, "mu_s");
  EXPECT_EQ(settings[1].key, "minus.mu_k");
  EXPECT_EQ(settings[1].value, "1 %");
  EXPECT_EQ(settings[1].file, "a.yaml");
  EXPECT_EQ(settings[1].line, 5);
  EXPECT_EQ(refusal([&] { doc.finish(); }),
            "a.yaml:2: key 'friction.law' = 'lugre': unknown key; expected one of 'mu_s', 'minus'");
  EXPECT_EQ(friction["law"].text(), "lugre");
  EXPECT_EQ(refusal([&] { doc.finish(); }), "accepted");
  EXPECT_EQ(parse("a: 1").root().settings()[0].key, "a");

  const std::string one = "; expected one number, word or quantity such as '5 mm/s'";
  EXPECT_EQ(parse("a:\n  b: [1, 2 mm]").root().settings()[0].value, "[1, 2 mm]");
  EXPECT_EQ(refusal([] { parse("a:\n  b: [[1]]").root().settings(); }),
            "a.yaml:2: key 'a.b.0': a list" + one);
  EXPECT_EQ(refusal([] { parse("a:\n").root().settings(); }), "a.yaml:1: key 'a': no value" + one);
  EXPECT_EQ(refusal([] { parse("a: 1")["a"].settings(); }),
            "a.yaml:1: key 'a' = '1': one value; expected a map of keys to values");
}

TEST(Node, EntriesComeInTheOrderOfTheFile) {
  const Document doc = parse("z: 1\na: 2\nm: 3\n");
  std::string names;
  for (const auto& [name, node] : doc.root().entries()) names += name + node.text();
  EXPECT_EQ(names, "z1a2m3");
  EXPECT_EQ(refusal([&] { doc.finish(); }), "accepted");
}

TEST(Finish, RefusesTheFirstKeyNobodyAskedFor) {
  const Document doc = parse("body:\n  mass: 1\n  mas: 2\nsovler: 3\n");
  const double mass = doc["body"]["mass"].number();
  const double rtol = doc["solver"]["rtol"].number(1e-6);
  EXPECT_EQ(mass + rtol, 1 + 1e-6);
  EXPECT_EQ(refusal([&] { doc.finish(); }),
            "a.yaml:3: key 'body.mas' = '2': unknown key; expected one of 'mass'; did you mean "
            "'mass'?");
  EXPECT_EQ(refusal([&] { doc["solver"].finish(); }), "accepted");
  EXPECT_TRUE(doc["body"]["mas"].exists());
  EXPECT_EQ(refusal([&] { doc["body"].finish(); }), "accepted");
  EXPECT_EQ(refusal([&] { doc.finish(); }),
            "a.yaml:4: key 'sovler' = '3': unknown key; expected one of 'body', 'solver'; did you "
            "mean 'solver'?");
}

TEST(Finish, LooksIntoLists) {
  const Document doc = parse("a:\n  - {x: 1}\n  - {x: 1, y: 2}\n");
  EXPECT_EQ(refusal([&] { doc.finish(); }), "a.yaml:1: key 'a': unknown key");
  for (const Node& item : doc["a"].items()) EXPECT_EQ(item["x"].integer(), 1);
  EXPECT_EQ(refusal([&] { doc.finish(); }),
            "a.yaml:3: key 'a.1.y' = '2': unknown key; expected one of 'x'");
}

TEST(Finish, ACopyIsReadAnew) {
  const Document doc = parse("a: 1");
  EXPECT_EQ(doc["a"].integer(), 1);
  const Document copy = doc;
  EXPECT_EQ(refusal([&] { doc.finish(); }), "accepted");
  EXPECT_EQ(refusal([&] { copy.finish(); }), "a.yaml:1: key 'a' = '1': unknown key");
}

TEST(Node, OutlivesItsDocument) {
  const Node mass = parse(slide)["body"]["mass"];
  EXPECT_EQ(mass.quantity(dim::mass), 2);
}

TEST(Document, RemovesAKeyAndTheMapsThatAreEmptyThen) {
  Document doc = Document::parse(
      "friction: {law: lugre, minus: {mu_k: 0.3}}\ncontacts: [{friction: {mu_k: 0.2}, load: 1}]\n",
      "a.yaml");
  doc.remove("friction.minus.mu_k");
  doc.remove("contacts.0.friction.mu_k");
  doc.remove("contacts.0.nothing.there");
  doc.remove("nowhere");
  EXPECT_EQ(doc.dump(), "friction:\n  law: lugre\ncontacts:\n  - load: 1\n");
}

TEST(Document, ATextIsOneTextWhateverItLooksLike) {
  for (const char* text : {"[a, b", "null", "{x: 1}", "5"}) {
    Document doc;
    doc.set_text("name", text);
    EXPECT_EQ(doc["name"].text(), text);
    EXPECT_EQ(Document::parse(doc.dump(), "again.yaml")["name"].text(), text);
  }
}

TEST(Document, AFileBesideTheDocumentIsFoundFromAnywhere) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "beside";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "table.csv") << "t\n0\n";
  const Document doc =
      Document::parse("here: table.csv\ngone: other.csv\n", (folder / "scene.yaml").string());
  EXPECT_EQ(doc["here"].file_path(), folder / "table.csv");
  EXPECT_EQ(doc["gone"].file_path(), folder / "other.csv");
  const Document again = Document::parse(doc.dump(), "elsewhere/scene.yaml");
  EXPECT_TRUE(std::filesystem::equivalent(again["here"].file_path(), folder / "table.csv"));
  EXPECT_EQ(again["gone"].text(), "other.csv");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bristle
