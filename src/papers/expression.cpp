#include "bristle/papers/expression.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/input_file.hpp"
#include "bristle/core/names.hpp"
#include "functions.hpp"

namespace bristle::papers {

using detail::Function;

/// A node of the tree: a number, a name, a list, an operator or a function with its arguments.
struct Expression::Term {
  enum class Kind { number, name, list, negate, operation, call };
  Kind kind = Kind::number;
  double number = 0;
  std::string text{};  ///< of names and operators
  const Function* function = nullptr;
  std::vector<std::shared_ptr<const Term>> parts{};
  int height = 1;  ///< of the tree below, which is walked by recursion
};

namespace {

using Term = Expression::Term;
using TermPtr = std::shared_ptr<const Term>;
using Kind = Term::Kind;

/// Recursive descent: one function per level of binding.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  TermPtr whole() {
    if (text_.size() > limits::expression_length) {
      refuse(fmt::format("it has {} characters where {} are allowed", text_.size(),
                         limits::expression_length));
    }
    TermPtr term = conjunction();
    skip_blanks();
    if (at_ < text_.size()) refuse(fmt::format("'{}' is not expected here", text_.substr(at_)));
    return term;
  }

 private:
  [[noreturn]] void refuse(const std::string& why, const std::string& nearest = {}) const {
    throw InputError({.message = why, .key = "expression", .value = text_, .nearest = nearest});
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view symbol) {
    skip_blanks();
    if (!std::string_view(text_).substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  void need(std::string_view symbol) {
    if (!take(symbol)) refuse(fmt::format("'{}' is missing", symbol));
  }
  std::string take_any(std::initializer_list<std::string_view> symbols) {
    for (const std::string_view symbol : symbols) {
      if (take(symbol)) return std::string(symbol);
    }
    return {};
  }

  /// A level of recursion, of which there are only so many.
  class Level {
   public:
    explicit Level(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > limits::expression_depth) parser.refuse_depth();
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Level(Level&&) = delete;
    Level& operator=(Level&&) = delete;
    ~Level() { --depth_; }

   private:
    int& depth_;
  };

  [[noreturn]] void refuse_depth() const {
    refuse(fmt::format("more than {} operations within one another", limits::expression_depth));
  }

  TermPtr made(Term term) const {
    for (const TermPtr& part : term.parts) term.height = std::max(term.height, part->height + 1);
    if (term.height > limits::expression_depth) refuse_depth();
    return std::make_shared<const Term>(std::move(term));
  }

  TermPtr operation(std::string text, TermPtr a, TermPtr b) const {
    Term term{.kind = Kind::operation, .text = std::move(text)};
    term.parts = {std::move(a), std::move(b)};
    return made(std::move(term));
  }

  TermPtr conjunction() {
    TermPtr term = comparison();
    while (take("and ")) term = operation("and", term, comparison());
    return term;
  }
  TermPtr comparison() {
    TermPtr term = total();
    const std::string text = take_any({"<=", ">=", "==", "<", ">"});
    return text.empty() ? term : operation(text, term, total());
  }
  TermPtr total() {
    TermPtr term = product();
    for (std::string text; !(text = take_any({"+", "-"})).empty();) {
      term = operation(text, term, product());
    }
    return term;
  }
  TermPtr product() {
    TermPtr term = signed_power();
    for (std::string text; !(text = take_any({"*", "/"})).empty();) {
      term = operation(text, term, signed_power());
    }
    return term;
  }
  TermPtr signed_power() {
    const Level level(*this);
    if (!take("-")) return power();
    Term term{.kind = Kind::negate};
    term.parts = {signed_power()};
    return made(std::move(term));
  }
  TermPtr power() {
    TermPtr base = primary();
    return take("^") ? operation("^", base, signed_power()) : base;
  }

  TermPtr primary() {
    skip_blanks();
    if (at_ == text_.size()) refuse("it ends too early");
    const char c = text_[at_];
    if (take("(")) {
      TermPtr term = conjunction();
      need(")");
      return term;
    }
    if (take("[")) return listed(Term{.kind = Kind::list}, "]");
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return name();
    refuse(fmt::format("'{}' is not expected here", c));
  }

  TermPtr listed(Term term, std::string_view end) {
    if (!take(end)) {
      do {
        term.parts.push_back(conjunction());
      } while (take(","));
      need(end);
    }
    return made(std::move(term));
  }

  TermPtr number() {
    Term term;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), term.number);
    if (error != std::errc()) refuse("not a number");
    at_ += static_cast<std::size_t>(end - begin);
    return std::make_shared<const Term>(std::move(term));
  }

  TermPtr name() {
    const std::size_t begin = at_;
    const auto goes_on = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    while (at_ < text_.size() && goes_on(text_[at_])) ++at_;
    const std::string text = text_.substr(begin, at_ - begin);
    if (text == "pi") {
      return std::make_shared<const Term>(Term{.number = std::numbers::pi});
    }
    if (take("(")) return call(text);
    return std::make_shared<const Term>(Term{.kind = Kind::name, .text = text});
  }

  TermPtr call(const std::string& name) {
    const Function* function = detail::find_function(name);
    if (function == nullptr) {
      std::vector<std::string> known;
      for (const Function& f : detail::all_functions()) known.emplace_back(f.name);
      refuse(fmt::format("unknown function '{}'", name), nearest_name(name, known));
    }
    TermPtr term = listed(Term{.kind = Kind::call, .text = name, .function = function}, ")");
    if (static_cast<int>(term->parts.size()) != function->count) {
      refuse(fmt::format("{} wants ({})", name, function->arguments));
    }
    return term;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

double apply(const std::string& operation, double a, double b) {
  if (operation == "+") return a + b;
  if (operation == "-") return a - b;
  if (operation == "*") return a * b;
  if (operation == "/") return a / b;
  if (operation == "^") return std::pow(a, b);
  if (operation == "<") return a < b;
  if (operation == "<=") return a <= b;
  if (operation == ">") return a > b;
  if (operation == ">=") return a >= b;
  if (operation == "==") return a == b;
  return a != 0 && b != 0;  // and
}

Values value_of(const Term& term, const Lookup& lookup) {
  switch (term.kind) {
    case Kind::number:
      return {term.number};
    case Kind::name: {
      if (std::optional<Values> found = lookup(term.text)) return std::move(*found);
      throw InputError({.message = "no such value", .key = term.text});
    }
    case Kind::negate: {
      Values values = value_of(*term.parts[0], lookup);
      for (double& x : values) x = -x;
      return values;
    }
    case Kind::operation:
      return detail::each(term.text, value_of(*term.parts[0], lookup),
                          value_of(*term.parts[1], lookup),
                          [&](double a, double b) { return apply(term.text, a, b); });
    case Kind::list: {
      Values list;
      for (const TermPtr& part : term.parts) {
        const Values values = value_of(*part, lookup);
        if (list.size() + values.size() > limits::expression_values) {
          throw InputError(
              {.message = fmt::format("more than {} numbers", limits::expression_values),
               .key = "list"});
        }
        list.insert(list.end(), values.begin(), values.end());
      }
      return list;
    }
    default: {
      std::vector<Values> arguments;
      for (const TermPtr& part : term.parts) arguments.push_back(value_of(*part, lookup));
      return term.function->call(arguments);
    }
  }
}

void collect(const Term& term, std::vector<std::string>& names) {
  if (term.kind == Kind::name && std::find(names.begin(), names.end(), term.text) == names.end()) {
    names.push_back(term.text);
  }
  for (const TermPtr& part : term.parts) collect(*part, names);
}

}  // namespace

Expression::Expression(std::string text) : text_(std::move(text)), root_(Parser(text_).whole()) {}

Values Expression::evaluate(const Lookup& lookup) const {
  try {
    return value_of(*root_, lookup);
  } catch (const InputError& error) {
    const Fault& fault = error.fault();
    throw InputError({.message = fmt::format("{}: {}", fault.key, fault.message),
                      .key = "expression",
                      .value = text_});
  }
}

double Expression::number(const Lookup& lookup) const {
  const Values values = evaluate(lookup);
  if (values.size() == 1) return values[0];
  throw InputError({.message = fmt::format("{} numbers where one is wanted", values.size()),
                    .key = "expression",
                    .value = text_});
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  collect(*root_, names);
  return names;
}

std::vector<std::string> expression_functions() {
  std::vector<std::string> lines;
  for (const Function& f : detail::all_functions()) {
    lines.push_back(fmt::format("{}({}): {}", f.name, f.arguments, f.text));
  }
  return lines;
}

}  // namespace bristle::papers
