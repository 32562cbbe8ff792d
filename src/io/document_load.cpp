#include <algorithm>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "bristle/core/input_file.hpp"
#include "bristle/core/names.hpp"
#include "document_tree.hpp"

namespace bristle::detail {
namespace {

namespace fs = std::filesystem;

/// Cells left to a document with all that it includes.
struct Budget {
  std::size_t left = max_cells;
};

[[noreturn]] void refuse(Fault where, std::string message, std::string expected = {}) {
  where.message = std::move(message);
  if (!expected.empty()) where.expected = std::move(expected);
  throw InputError(std::move(where));
}

// ---- text to tree
// --------------------------------------------------------------------------------

/// Builds the tree from yaml-cpp's events rather than from its own tree, which would lose where
/// keys stand and share what is aliased.
class Builder final : public YAML::EventHandler {
 public:
  Builder(FileName file, Fault where, int depth, Budget& budget)
      : file_(std::move(file)), where_(std::move(where)), depth_(depth), budget_(budget) {}

  CellPtr finished() const {
    if (deferred_) throw InputError(*deferred_);
    return root_;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) {
      refuse(at(mark), "a second document starts here", "one document");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    place(mark, make(Form::null, mark, anchor));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    const CellPtr cell = make(Form::scalar, mark, anchor);
    require_text(value, at(mark));  // an escape such as "\e" may stand for anything
    spend(mark, measure_text(value));
    cell->text = value;
    place(mark, cell);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const CellPtr& source = anchors_.at(anchor);
    const auto holds = [&](const Frame& frame) { return frame.cell == source; };
    if (std::any_of(frames_.begin(), frames_.end(), holds)) {
      refuse(at(mark), "an alias within what it stands for");
    }
    spend(mark, measure(*source));
    CellPtr copy = clone(*source);
    copy->line = line(mark);
    place(mark, copy);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(Form::list, mark, anchor);
  }
  void OnSequenceEnd() override { frames_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(Form::map, mark, anchor);
  }
  void OnMapEnd() override { frames_.pop_back(); }

 private:
  struct Frame {
    CellPtr cell;
    std::string path;
    std::string key{};  // waits for its value
    int key_line = 0;
    bool has_key = false;
  };

  int line(const YAML::Mark& mark) const { return file_ ? mark.line + 1 : 0; }

  Fault at(const YAML::Mark& mark) const {
    Fault fault = where_;
    fault.line = line(mark);
    if (where_.key.empty()) fault.key = path();
    return fault;
  }

  // Of the value that is about to be placed, or of the map whose next key is.
  std::string path() const {
    if (frames_.empty()) return {};
    const Frame& frame = frames_.back();
    const bool list = frame.cell->form == Form::list;
    if (!list && !frame.has_key) return frame.path;
    return joined(frame.path, list ? std::to_string(frame.cell->children.size()) : frame.key);
  }

  void spend(const YAML::Mark& mark, const Size& size) {
    if (size.cells > budget_.left) {
      refuse(at(mark), "too many values, counting those of includes and aliases",
             fmt::format("at most {}", max_cells));
    }
    budget_.left -= size.cells;
    require_depth(mark, size.height);
  }

  void require_depth(const YAML::Mark& mark, int height) const {
    if (depth_ + static_cast<int>(frames_.size()) + height <= max_depth + 1) return;
    refuse(at(mark), "maps and lists nested too deeply",
           fmt::format("at most {} levels", max_depth));
  }

  CellPtr make(Form form, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (form != Form::scalar) spend(mark, {1, 1});
    CellPtr cell = make_cell(form, file_, line(mark));
    if (anchor != YAML::NullAnchor) anchors_[anchor] = cell;
    return cell;
  }

  void open(Form form, const YAML::Mark& mark, YAML::anchor_t anchor) {
    const CellPtr cell = make(form, mark, anchor);
    std::string here = path();
    place(mark, cell);
    frames_.push_back({.cell = cell, .path = std::move(here)});
  }

  void place(const YAML::Mark& mark, const CellPtr& cell) {
    if (frames_.empty()) {
      root_ = cell;
      return;
    }
    Frame& frame = frames_.back();
    if (frame.cell->form == Form::list) {
      frame.cell->children.push_back(cell);
    } else if (!frame.has_key) {
      take_key(mark, *cell, frame);
    } else {
      cell->line = frame.key_line;
      frame.has_key = false;
      frame.cell->add(std::move(frame.key), cell);
    }
  }

  void take_key(const YAML::Mark& mark, const Cell& cell, Frame& frame) {
    Fault fault = at(mark);
    if (cell.form != Form::scalar) {
      defer(fault, frame);
      return;
    }
    require_key(cell.text, fault);
    if (where_.key.empty()) fault.key = joined(fault.key, cell.text);
    if (const CellPtr first = frame.cell->find(cell.text)) {
      const std::string place =
          first->line > 0 ? fmt::format(", first in line {}", first->line) : "";
      refuse(fault, "key given twice" + place);
    }
    frame.key = cell.text;
    frame.key_line = line(mark);
    frame.has_key = true;
  }

  // To yaml-cpp a bracket that is never closed may look like a key until it gets to the end, and
  // then it says what is wrong. Hence this is said only if it has nothing to say.
  void defer(Fault fault, Frame& frame) {
    fault.message = "a key that is no word";
    fault.expected = "a line such as 'key: value'";
    if (!deferred_) deferred_ = std::move(fault);
    frame.key = "?";
    frame.has_key = true;
  }

  FileName file_;
  Fault where_;
  int depth_;
  Budget& budget_;
  CellPtr root_;
  std::optional<Fault> deferred_;
  std::vector<Frame> frames_;
  std::unordered_map<YAML::anchor_t, CellPtr> anchors_;
};

// Whoever indents with tabs is told of "illegal map values" and the like, which helps nobody.
std::string tab_hint(std::string_view text, int line) {
  for (int i = 0; i <= line && !text.empty(); ++i) {
    const std::string_view row = text.substr(0, text.find('\n'));
    const std::string_view indent =
        row.substr(0, std::min(row.find_first_not_of(" \t"), row.size()));
    const bool blank = trimmed(row).empty();
    if (!blank && indent.find('\t') != std::string_view::npos) {
      return fmt::format("spaces instead of the tab at the start of line {}", i + 1);
    }
    text.remove_prefix(std::min(row.size() + 1, text.size()));
  }
  return {};
}

int line_count(std::string_view text) {
  const auto ends = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  return std::max(1, ends + (text.ends_with('\n') ? 0 : 1));
}

CellPtr parse(std::string_view text, const FileName& file, const Fault& where, int depth,
              Budget& budget) {
  require_text(text, where);
  Builder builder(file, where, depth, budget);
  // yaml-cpp lets a quote or bracket that is never closed pass at the very end; not so in a
  // comment.
  std::istringstream stream{std::string(text) + (text.ends_with('\n') ? "#" : "\n#")};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    Fault fault = where;
    fault.line = file ? std::min(error.mark.line + 1, line_count(text)) : 0;
    refuse(fault, fmt::format("not valid YAML: {}", error.msg), tab_hint(text, error.mark.line));
  }
  return builder.finished();
}

// ---- includes
// ------------------------------------------------------------------------------------

struct Source {
  std::string text;
  FileName file;         // as shown
  std::string identity;  // the same for the same file, however it is spelt
  fs::path folder;
  bool built_in = false;
};

/// Nothing if there is no such file.
std::optional<std::string> read_file(const fs::path& path, const Fault& where) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (path != "-" && (!fs::exists(status) || fs::is_directory(status))) return std::nullopt;
  try {
    return read_input(path, limits::document_bytes);
  } catch (const InputError& refused) {
    refuse(where, refused.fault().message, refused.fault().expected);
  }
}

class Loader {
 public:
  explicit Loader(const FindInclude& find) : find_(find) {}

  Source find(const std::string& name, const Source* from, const Fault& where) const {
    if (from == nullptr || !from->built_in) {
      // '-' is standard input on the command line, and a file beside the others in a file.
      const fs::path path =
          from == nullptr ? fs::path(name) : from->folder / (name == "-" ? "./-" : name);
      if (auto text = read_file(path, where)) return file_source(path, std::move(*text));
    }
    if (find_) {
      if (auto text = find_(name)) return {std::move(*text), share(name), ":" + name, {}, true};
    }
    std::error_code error;
    const bool folder =
        fs::is_directory(from == nullptr ? fs::path(name) : from->folder / name, error);
    refuse(where, folder ? "not a file" : find_ ? "no such file or built-in name" : "no such file");
  }

  static Source file_source(const fs::path& path, std::string text) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(path, error);
    return {std::move(text), share(input_name(path)), (error ? path : whole).string(),
            path.parent_path(), false};
  }

  /// The tree of a source, with what it includes, at a place `depth` levels below the top.
  CellPtr load(const Source& source, int depth) {
    const Fault where{.file = *source.file};
    CellPtr root = parse(source.text, source.file, where, depth, budget_);
    if (!root || root->form != Form::map) {
      Fault fault = where;
      fault.line = root ? root->line : 1;
      refuse(fault, "not a mapping of keys to values", "lines such as 'mu_s: 0.3'");
    }
    chain_.push_back(&source);
    resolve(*root, "", depth);
    chain_.pop_back();
    return root;
  }

 private:
  static FileName share(std::string name) {
    return std::make_shared<const std::string>(std::move(name));
  }

  void resolve(Cell& cell, const std::string& path, int depth) {
    const CellPtr includes = cell.find("include");
    if (includes) cell.remove("include");
    for (std::size_t i = 0; i < cell.children.size(); ++i) {
      if (cell.children[i]->children.empty()) continue;
      const std::string name = cell.form == Form::map ? cell.keys->names[i] : std::to_string(i);
      resolve(*cell.children[i], joined(path, name), depth + 1);
    }
    if (!includes) return;
    const std::string key = joined(path, "include");
    const bool list = includes->form == Form::list;
    std::vector<CellPtr> names = list ? includes->children : std::vector{includes};
    std::reverse(names.begin(), names.end());  // the last one wins, so it is filled in first
    for (const CellPtr& name : names) include(cell, *name, key, depth);
  }

  void include(Cell& above, const Cell& name, const std::string& key, int depth) {
    const Source& from = *chain_.back();
    const Fault where{.file = *from.file, .line = name.line, .key = key, .value = name.text};
    if (name.form != Form::scalar || name.text.empty()) {
      refuse(where, "no name to include", "the name of a file, or a list of names");
    }
    constexpr int max_includes = 1000;
    if (++includes_ > max_includes)
      refuse(where, fmt::format("more than {} includes", max_includes));
    const Source source = find(name.text, &from, where);
    refuse_cycle(source, where);
    fill_in(above, *load(source, depth));
  }

  void refuse_cycle(const Source& source, const Fault& where) const {
    const auto same = [&](const Source* s) { return s->identity == source.identity; };
    const auto first = std::find_if(chain_.begin(), chain_.end(), same);
    if (first == chain_.end()) return;
    std::string chain;
    for (auto link = first; link != chain_.end(); ++link) chain += *(*link)->file + " -> ";
    refuse(where, "a file that includes itself: " + chain + *(*first)->file);
  }

  const FindInclude& find_;
  Budget budget_;
  std::vector<const Source*> chain_;
  int includes_ = 0;
};

}  // namespace

void require_text(std::string_view text, Fault where) {
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = is_control(text.substr(i)) && byte != '\t' && byte != '\n' && byte != '\r';
    if (length == 0 || control) {
      if (!where.file.empty() && where.line == 0) where.line = line;
      const auto code = length == 2 ? static_cast<unsigned char>(text[i + 1]) : byte;
      const std::string hex = fmt::format("0x{:02x}", code);
      refuse(where, control ? "control character " + hex : "byte " + hex + " is not UTF-8",
             "text in UTF-8");
    }
    line += byte == '\n' ? 1 : 0;
    i += length;
  }
}

CellPtr load_file(const fs::path& path, const FindInclude& find) {
  Loader loader(find);
  const Source source = loader.find(path.string(), nullptr, {.file = input_name(path)});
  return loader.load(source, 0);
}

CellPtr load_text(std::string_view text, const std::string& file_name, const FindInclude& find) {
  const Source source = Loader::file_source(file_name, std::string(text));
  return Loader(find).load(source, 0);
}

CellPtr load_value(std::string_view text, int depth, const Fault& where) {
  // Behind a key: at the top level yaml-cpp takes a bracket that is never closed for a key.
  Budget budget;
  const CellPtr root = parse("value: " + std::string(text), nullptr, where, depth - 1, budget);
  if (root->children.size() != 1) refuse(where, "more than one value");
  return root->children.front();
}

}  // namespace bristle::detail
