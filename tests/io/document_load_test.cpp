// Files to trees: includes, overrides, and what is refused on the way in.

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "bristle/io/document.hpp"
#include "bristle/io/yaml.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

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
std::string refused(const std::string& text) {
  return refusal([&] { parse(text); });
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("bristle-document-" + std::to_string(::getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_ / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return path(name);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST(ParseDocument, BadYaml) {
  EXPECT_EQ(refused("a: 1\nb: [1, 2\n"),
            "a.yaml:2: not valid YAML: end of sequence flow not found");
  EXPECT_EQ(refused("a: {0.2\n"), "a.yaml:1: not valid YAML: end of map flow not found");
  EXPECT_EQ(refused("a: 1\n b: 2\n"), "a.yaml:2: not valid YAML: illegal map value");
  EXPECT_EQ(refused("a: 'x\nb: 1\n"), "a.yaml:2: not valid YAML: illegal EOF in scalar");
  EXPECT_EQ(refused("a: *x\n"), "a.yaml:1: not valid YAML: the referenced anchor is not defined");
  EXPECT_EQ(
      refused("x: 1\na:\n\tb: 1\n"),
      "a.yaml:3: not valid YAML: illegal map value; expected spaces instead of the tab at the "
      "start of line 3");
}

TEST(ParseDocument, OnlyAMapOfWords) {
  const std::string no_map =
      ": not a mapping of keys to values; expected lines such as 'mu_s: 0.3'";
  EXPECT_EQ(refused(""), "a.yaml:1" + no_map);
  EXPECT_EQ(refused("# nothing\n"), "a.yaml:1" + no_map);
  EXPECT_EQ(refused("\n- a\n"), "a.yaml:2" + no_map);
  EXPECT_EQ(refused("word"), "a.yaml:1" + no_map);
  EXPECT_EQ(refused("a: 1\n---\nb: 2\n"),
            "a.yaml:2: a second document starts here; expected one document");
  EXPECT_EQ(refused("a:\n  ? [1, 2]\n  : 3\n"),
            "a.yaml:2: key 'a': a key that is no word; expected a line such as 'key: value'");
  EXPECT_EQ(refused("~: 3\n"),
            "a.yaml:1: a key that is no word; expected a line such as 'key: value'");
  EXPECT_EQ(refused("'': 3\n"), "a.yaml:1: a key without a name");
  EXPECT_EQ(refused("? " + std::string(300, 'k') + "\n: 1"),
            "a.yaml:1: key of 300 bytes; expected at most 200 bytes");
}

TEST(ParseDocument, KeyGivenTwice) {
  EXPECT_EQ(refused("a: 1\nb: 2\na: 3\n"), "a.yaml:3: key 'a': key given twice, first in line 1");
  EXPECT_EQ(refused("a:\n  - b: 1\n  - b: 1\n    c: 2\n    b: 3\n"),
            "a.yaml:5: key 'a.1.b': key given twice, first in line 3");
}

TEST(ParseDocument, OnlyText) {
  EXPECT_EQ(refused("a: 1\nb: 5 \xb5m\n"),
            "a.yaml:2: byte 0xb5 is not UTF-8; expected text in UTF-8");
  EXPECT_EQ(refused("a: \xc2"), "a.yaml:1: byte 0xc2 is not UTF-8; expected text in UTF-8");
  EXPECT_EQ(refused(std::string("a: \0", 4)),
            "a.yaml:1: control character 0x00; expected text in UTF-8");
  EXPECT_EQ(refused("a: 1\nb: \u009b2J\n"),
            "a.yaml:2: control character 0x9b; expected text in UTF-8");
  EXPECT_EQ(refused("a: 1\nb: \"\\e[2J\"\n"),
            "a.yaml:2: key 'b': control character 0x1b; expected text in UTF-8");
  EXPECT_EQ(refused("\"\\x9b\": 1\n"), "a.yaml:1: control character 0x9b; expected text in UTF-8");
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "a: 5 µm\r\n")["a"]
                .quantity(dim::length),
            5e-6);
}

TEST(ParseDocument, AliasesAreCopies) {
  const Document doc = parse("a: &x {k: [1, 2]}\nb: *x\n");
  EXPECT_EQ(doc["b"]["k"].items()[1].integer(), 2);
  EXPECT_EQ(doc["b"].line(), 2);
  EXPECT_EQ(refused("a: &x [1, *x]\n"), "a.yaml:1: key 'a.1': an alias within what it stands for");
}

TEST(ParseDocument, BombsAreRefused) {
  std::string doubling = "a0: &a0 [1, 1]\n";
  for (int i = 1; i < 60; ++i) {
    doubling += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  }
  EXPECT_THAT(refused(doubling), HasSubstr("too many values, counting those of includes and "
                                           "aliases; expected at most 1000000"));
  std::string long_text = "a: &a " + std::string(100000, 'x') + "\nb: [";
  for (int i = 0; i < 10000; ++i) long_text += "*a, ";
  EXPECT_THAT(refused(long_text + "1]\n"), StartsWith("a.yaml:2: key 'b."));
  EXPECT_THAT(refused("a: " + std::string(101, '[') + std::string(101, ']')),
              HasSubstr("maps and lists nested too deeply; expected at most 100 levels"));
  EXPECT_EQ(refused("a: " + std::string(100, '[') + std::string(100, ']')), "accepted");
  for (const std::string piece : {"[", "{", "- ", "? ", "&a ", "!", "'", "a: "}) {
    std::string many;
    for (int i = 0; i < 20000; ++i) many += piece;
    EXPECT_THAT(refused(many), StartsWith("a.yaml:1: ")) << piece;
  }
}

TEST_F(Files, IncludesAreFilledInBelow) {
  write("base.yaml", "body: {mass: 1, size: [1, 2, 3]}\nname: base\nextra: 5\n");
  write("sub/mid.yaml", "include: ../base.yaml\nname: mid\nbody: {mass: 2}\n");
  const std::string file =
      write("top.yaml", "include: sub/mid.yaml\nbody:\n  size: [7]\n  depth: 3\n");
  const Document doc = Document::read(file);
  EXPECT_EQ(doc.dump(), "body:\n  size: [7]\n  depth: 3\n  mass: 2\nname: mid\nextra: 5\n");
  EXPECT_EQ(doc["body"]["mass"].file(), path("sub/mid.yaml"));
  EXPECT_EQ(doc["body"]["mass"].line(), 3);
  EXPECT_EQ(doc["body"]["depth"].file(), file);
  EXPECT_FALSE(doc["include"].exists());
}

TEST_F(Files, IncludesInAnyMapAndSeveralAtOnce) {
  write("a.yaml", "x: 1\ny: 1\nz: {p: 1}\n");
  write("b.yaml", "y: 2\nz: {q: 2}\n");
  const Document doc = Document::read(write(
      "top.yaml", "m: {include: [a.yaml, b.yaml], w: 0}\nl:\n  - include: b.yaml\n    y: 9\n"));
  EXPECT_EQ(doc.dump(),
            "m:\n  w: 0\n  y: 2\n  z:\n    q: 2\n    p: 1\n  x: 1\n"
            "l:\n  - y: 9\n    z:\n      q: 2\n");
}

TEST_F(Files, BadIncludesNameTheLine) {
  const auto top = [&](const std::string& text) {
    const std::string file = write("top.yaml", text);
    return refusal([&] { Document::read(file); });
  };
  const std::string at = path("top.yaml");
  EXPECT_EQ(top("a: 1\nm:\n  include: none.yaml\n"),
            at + ":3: key 'm.include' = 'none.yaml': no such file");
  EXPECT_EQ(top("include: sub\n"), at + ":1: key 'include' = 'sub': not a file");
  const std::string name = "; expected the name of a file, or a list of names";
  EXPECT_EQ(top("include:\n"), at + ":1: key 'include': no name to include" + name);
  EXPECT_EQ(top("include: {a: b}\n"), at + ":1: key 'include': no name to include" + name);
  EXPECT_EQ(top("include: [[a]]\n"), at + ":1: key 'include': no name to include" + name);
  write("bad.yaml", "a: 1\na: 2\n");
  EXPECT_EQ(top("include: bad.yaml\n"),
            path("bad.yaml") + ":2: key 'a': key given twice, first in line 1");
}

TEST_F(Files, CyclesAreRefused) {
  const std::string a = write("a.yaml", "x: 1\ninclude: b.yaml\n");
  const std::string b = write("b.yaml", "k:\n  include: sub/../a.yaml\n");
  EXPECT_EQ(refusal([&] { Document::read(a); }),
            b + ":2: key 'k.include' = 'sub/../a.yaml': a file that includes itself: " + a +
                " -> " + b + " -> " + a);
  const std::string self = write("self.yaml", "include: self.yaml\n");
  EXPECT_THAT(refusal([&] { Document::read(self); }),
              HasSubstr("a file that includes itself: " + self + " -> " + self));
  const auto endless = [](std::string_view name) {
    return std::optional("include: " + std::string(name) + "x\n");
  };
  EXPECT_THAT(refusal([&] { Document::read("n", endless); }), HasSubstr("more than 1000 includes"));
}

TEST_F(Files, BuiltInNames) {
  const FindInclude find = [](std::string_view name) -> std::optional<std::string> {
    if (name == "spring") return "include: base\nk: 2\n";
    if (name == "base") return "k: 1\nm: 1\n";
    if (name == "bad") return "x: 1\ninclude: top.yaml\n";
    return std::nullopt;
  };
  const std::string file = write("top.yaml", "include: spring\nm: 3\n");
  const Document doc = Document::read(file, find);
  EXPECT_EQ(doc.dump(), "m: 3\nk: 2\n");
  EXPECT_EQ(doc["k"].file(), "spring");
  EXPECT_EQ(Document::read("spring", find).dump(), "k: 2\nm: 1\n");
  EXPECT_EQ(refusal([&] { Document::read("sprong", find); }),
            "sprong: no such file or built-in name");
  EXPECT_EQ(refusal([&] { Document::read("bad", find); }),
            "bad:2: key 'include' = 'top.yaml': no such file or built-in name");
  std::filesystem::create_directory(folder_ / "spring");
  EXPECT_EQ(Document::read(file, find).dump(), "m: 3\nk: 2\n") << "a folder is not in the way";
  write("base", "k: 7\n");
  EXPECT_EQ(Document::read(file, find)["m"].integer(), 3);
  EXPECT_EQ(Document::read(file, find)["k"].integer(), 2) << "built-in names stay among themselves";
  EXPECT_EQ(Document::parse("include: base", path("text.yaml"), find).dump(), "k: 7\n")
      << "a file comes first";
}

TEST_F(Files, MissingFileAndFolder) {
  EXPECT_EQ(refusal([&] { Document::read(path("no.yaml")); }), path("no.yaml") + ": no such file");
  EXPECT_EQ(refusal([&] { Document::read(path("sub")); }), path("sub") + ": not a file");
}

TEST_F(Files, SettingsMayInclude) {
  write("base.yaml", "mu_s: 0.4\nmu_k: 0.2\n");
  const auto settings =
      read_settings(write("p.yaml", "friction:\n  include: base.yaml\n  mu_s: 0.5\n"), "friction");
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].value, "0.5");
  EXPECT_EQ(settings[1].key, "mu_k");
  EXPECT_EQ(settings[1].file, path("base.yaml"));
  EXPECT_EQ(read_settings(path("base.yaml"), "friction").size(), 2U);
}

TEST(SetDocument, ReplacesAndMakesMaps) {
  Document doc = parse("friction: {law: dahl}\ncontacts:\n  - {mu: 1}\n  - {mu: 2}\nold:\n");
  doc.set("friction.law", "lugre");
  doc.set("friction.minus.mu_k", " 0.1 ");
  doc.set("contacts.1.mu", "3");
  doc.set("old.new", "x");
  doc.set("size", "[1 mm, {a: b}]");
  doc.set("contacts.0", "gone");
  EXPECT_EQ(doc.dump(),
            "friction:\n  law: lugre\n  minus:\n    mu_k: 0.1\n"
            "contacts:\n  - gone\n  - mu: 3\n"
            "old:\n  new: x\nsize:\n  - 1 mm\n  - a: b\n");
  doc.set("contacts", "none");
  EXPECT_EQ(doc["contacts"].text(), "none");
  EXPECT_EQ(refusal([&] { doc["friction"]["law"].flag(); }),
            "key 'friction.law' = 'lugre': neither true nor false; expected true or false");
  EXPECT_EQ(doc["size"].items()[0].line(), 0);
  Document dotted = parse("minus.mu: 1\n");
  dotted.set("minus.mu", "2");
  EXPECT_EQ(dotted.dump(), "minus.mu: 2\n");
  dotted.set("minus.mu", "");
  EXPECT_THAT(refusal([&] { dotted["minus.mu"].text(); }), HasSubstr("no value"));
}

TEST(SetDocument, RefusedPathsChangeNothing) {
  Document doc = parse("law: dahl\nlist: [1, 2, 3]\none: [1]\nnone: []\n");
  const std::string before = doc.dump();
  const auto set = [&](const std::string& path, const std::string& value) {
    return refusal([&] { doc.set(path, value); });
  };
  EXPECT_EQ(set("list.3", "0"),
            "key 'list.3' = '0': no element '3' in a list of 3; expected a number from 0 to 2");
  EXPECT_THAT(set("list.first", "0"), HasSubstr("no element 'first' in a list of 3"));
  EXPECT_EQ(set("one.1", "0"), "key 'one.1' = '0': no element '1' in a list of 1; expected 0");
  EXPECT_EQ(set("none.0", "0"), "key 'none.0' = '0': no element '0' in a list of 0");
  EXPECT_EQ(set("law.mu_s", "1"),
            "key 'law.mu_s' = '1': 'law' is one value, 'dahl', and has no keys");
  EXPECT_EQ(set("", "1"), "value '1': a key without a name");
  EXPECT_EQ(set("a..b", "1"), "key 'a..b' = '1': a key without a name");
  EXPECT_EQ(set("a.b.", "1"), "key 'a.b.' = '1': a key without a name");
  EXPECT_EQ(set("a", "[1, 2"), "key 'a' = '[1, 2': not valid YAML: end of sequence flow not found");
  EXPECT_EQ(set("a", "{b: 1, b: 2}"), "key 'a' = '{b: 1, b: 2}': key given twice");
  EXPECT_EQ(set("a", "[1]\nb: 2"), "key 'a' = '[1]\\nb: 2': more than one value");
  EXPECT_EQ(set("a", "\xff"), "key 'a' = '\\xff': byte 0xff is not UTF-8; expected text in UTF-8");
  std::string deep = "a";
  for (int i = 0; i < 1000; ++i) deep += ".a";
  EXPECT_THAT(set(deep, "1"), HasSubstr("nested too deeply"));
  EXPECT_EQ(doc.dump(), before);
}

TEST(MergeDocument, ThisWins) {
  Document doc = parse("a: 1\nm: {x: 1}\nl: [1]\nempty:\n");
  doc.merge(parse("a: 2\nm: {x: 2, y: 2}\nl: [2, 2]\nempty: {z: 3}\nnew: 4\n"));
  EXPECT_EQ(doc.dump(), "a: 1\nm:\n  x: 1\n  y: 2\nl: [1]\nempty:\n  z: 3\nnew: 4\n");
  Document none;
  none.merge(doc);
  none.set("m.x", "9");
  EXPECT_EQ(doc["m"]["x"].integer(), 1) << "merging copies";
  EXPECT_EQ(Document().dump(), "{}\n");
}

TEST(DumpDocument, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(parse("a: 'yes'\nb: '-5 mm/s'\nc: '.5'\nd: \"N/(m s)\"\ne: ~\nf: {}\ng: []\n").dump(),
            "a: yes\nb: -5 mm/s\nc: .5\nd: N/(m s)\ne: null\nf: {}\ng: []\n");
  for (const char* text :
       {"null", "",   "a: b",     "#x",  "- x",  "-",       "a,b",    " x",  "x ",
        "*x",   "!x", "\\\"",     "µ",   "\\\\", "x:",      "---",    "...", "%x",
        "'",    "{",  "\\n y\\n", "\\t", "\\r",  "\\u2028", "\\uFEFF"}) {
    const std::string key = *text == '\0' ? "k" : text;
    const Document doc = parse("\"" + key + "\": [\"" + text + "\"]\nt: \"" + text + "\"\n");
    const Document again = parse(doc.dump());
    EXPECT_EQ(again["t"].text(), doc["t"].text()) << text << "\n" << doc.dump();
    EXPECT_EQ(again.dump(), doc.dump());
    EXPECT_THAT(doc.dump(), HasSubstr("t: \"")) << text;
  }
}

TEST(DumpDocument, NestedListsAndMaps) {
  const std::string text =
      "a:\n  - - [1, 2]\n    - b: 1\n      c:\n        - d: 2\n  - []\n  - {}\n  - e: [null]\n";
  EXPECT_EQ(parse(text).dump(), text);
}

// Whatever the bytes, a document is either read, and then its dump reads back to the same, or
// refused in one line that says where.
TEST(ParseDocument, SurvivesAnyBytes) {
  const std::string good =
      "# c\na: 1\nb: &x {c: [1, 2, 'q'], d: \"e\\n\"}\nlist:\n  - k: v\n    m: *x\n  - |\n    "
      "text\n"
      "  - >-\n    more\n? key\n: ~\nz: !!str 5 mm/s\n";
  const std::string odd = "\n\t :-[]{}&*!|>'\"%@`,?#~a1\\\xc3\xa9\r.=<\x01";
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int accepted = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = good;
    for (std::size_t edits = 1 + below(6); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      const std::size_t kind = below(4);
      if (kind == 0) text[at] = odd[below(odd.size())];
      if (kind == 1) text.insert(at, 1, odd[below(odd.size())]);
      if (kind == 2) text.erase(at, 1 + below(3));
      if (kind == 3) text.insert(below(text.size()), text.substr(at, below(20)));
    }
    const std::string what = refused(text);
    if (what == "accepted") {
      const std::string dumped = parse(text).dump();
      EXPECT_EQ(refused(dumped), "accepted") << text << "\n" << dumped;
      EXPECT_EQ(parse(dumped).dump(), dumped) << text;
      ++accepted;
    } else {
      EXPECT_THAT(what, StartsWith("a.yaml:"));
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }
  EXPECT_GT(accepted, 250) << "or the test is of refusals only";
}

}  // namespace
}  // namespace bristle
