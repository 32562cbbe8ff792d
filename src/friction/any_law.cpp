#include "bristle/friction/any_law.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/unit.hpp"
#include "bristle/friction/asymmetric.hpp"
#include "bristle/friction/laws.hpp"
#include "group.hpp"

namespace bristle {

struct AnyLaw::Interface {
  virtual ~Interface() = default;
  virtual std::unique_ptr<Interface> clone() const = 0;
  virtual std::unique_ptr<Interface> asymmetric(const Interface& minus, double offset) const = 0;
  virtual bool is_asymmetric() const noexcept { return false; }
  virtual const LawInfo& info() const noexcept = 0;
  virtual double get(const Parameter& parameter) const noexcept = 0;
  virtual void set(const Parameter& parameter, double value) noexcept = 0;
  /// Null for a law without points.
  virtual FrictionPoints* points() noexcept { return nullptr; }
  virtual std::string_view inconsistency() const noexcept = 0;
  virtual double steady(double v, double fn) const noexcept = 0;
  virtual double bound(double v, double fn) const noexcept = 0;
  virtual bool passive(double fn) const noexcept = 0;
  virtual double delay() const noexcept = 0;
  virtual StickSet stick_set(double fn) const noexcept = 0;
  virtual std::unique_ptr<Group<1>> line(int contacts) const = 0;
  virtual std::unique_ptr<Group<2>> plane(int contacts) const = 0;
};

namespace {

using Vector1 = Tangent<double, 1>;

template <class L>
LawInfo make_info() {
  LawInfo info{model_info<L>(), {}, false};
  info.takes_points = requires(L law) { law.points; };
  for (const Capability c : capabilities) info.has[static_cast<std::size_t>(c)] = has<L>(c);
  return info;
}

template <class L>
class Model final : public AnyLaw::Interface {
 public:
  explicit Model(const L& law = L{}) : law_(law) {}

  std::unique_ptr<Interface> clone() const override { return std::make_unique<Model>(law_); }
  std::unique_ptr<Interface> asymmetric(const Interface& minus, double offset) const override;
  const LawInfo& info() const noexcept override {
    static const LawInfo made = make_info<L>();
    return made;
  }
  double get(const Parameter& parameter) const noexcept override {
    return get_parameter(law_, parameter);
  }
  void set(const Parameter& parameter, double value) noexcept override {
    set_parameter(law_, parameter, value);
  }
  FrictionPoints* points() noexcept override {
    if constexpr (requires { law_.points; }) return &law_.points;
    return nullptr;
  }
  std::string_view inconsistency() const noexcept override { return inconsistency_of(law_); }
  double steady(double v, double fn) const noexcept override {
    return law_.steady(Vector1(v), fn)[0];
  }
  double bound(double v, double fn) const noexcept override { return law_.bound(Vector1(v), fn); }
  bool passive(double fn) const noexcept override { return law_.passive(fn); }
  double delay() const noexcept override {
    if constexpr (Delayed<L>) return law_.delay();
    return 0.0;
  }
  StickSet stick_set(double fn) const noexcept override {
    if constexpr (SetValued<L>) {
      const double limit = law_.stick_limit(fn);
      return {-limit, limit, law_.stick_band(), law_.stick_band()};
    }
    return {};
  }
  std::unique_ptr<Group<1>> line(int contacts) const override {
    return std::make_unique<detail::LawGroup<L, 1>>(law_, contacts);
  }
  std::unique_ptr<Group<2>> plane(int contacts) const override {
    return std::make_unique<detail::LawGroup<L, 2>>(law_, contacts);
  }

  const L& law() const noexcept { return law_; }

 private:
  L law_;
};

template <class L>
class AsymmetricModel final : public AnyLaw::Interface {
 public:
  explicit AsymmetricModel(const Asymmetric<L>& law) : law_(law) {}

  std::unique_ptr<Interface> clone() const override {
    return std::make_unique<AsymmetricModel>(law_);
  }
  std::unique_ptr<Interface> asymmetric(const Interface& minus, double offset) const override {
    return Model<L>(law_.plus).asymmetric(minus, offset);
  }
  bool is_asymmetric() const noexcept override { return true; }
  const LawInfo& info() const noexcept override { return Model<L>().info(); }
  double get(const Parameter& parameter) const noexcept override {
    return Model<L>(law_.plus).get(parameter);
  }
  void set(const Parameter& parameter, double value) noexcept override {
    Model<L> plus(law_.plus);
    plus.set(parameter, value);
    law_.plus = plus.law();
  }
  std::string_view inconsistency() const noexcept override {
    const std::string_view first = Model<L>(law_.plus).inconsistency();
    return first.empty() ? Model<L>(law_.minus).inconsistency() : first;
  }
  double steady(double v, double fn) const noexcept override {
    return law_.steady(Vector1(v), fn)[0];
  }
  double bound(double v, double fn) const noexcept override { return law_.bound(Vector1(v), fn); }
  /// A constant offset gives or takes energy without limit.
  bool passive(double fn) const noexcept override {
    const bool memoryless = !HasMemory<L>;  // two springs could be charged and emptied in turn
    return memoryless && law_.offset == 0.0 && law_.plus.passive(fn) && law_.minus.passive(fn);
  }
  double delay() const noexcept override { return Model<L>(law_.plus).delay(); }
  StickSet stick_set(double fn) const noexcept override {
    const StickSet plus = Model<L>(law_.plus).stick_set(fn);
    const StickSet minus = Model<L>(law_.minus).stick_set(fn);
    const double offset = loaded(fn) ? law_.offset : 0.0;
    return {minus.min + offset, plus.max + offset, plus.band, minus.band};
  }
  std::unique_ptr<Group<1>> line(int contacts) const override {
    return std::make_unique<detail::LawGroup<Asymmetric<L>, 1>>(law_, contacts);
  }
  std::unique_ptr<Group<2>> plane(int) const override {
    throw InputError(
        {.message = fmt::format("law '{}' has been given two sides or an offset, which "
                                "a contact in the plane cannot have",
                                info().page.name),
         .expected = "a contact on a line, or a law without 'minus.' and 'offset'"});
  }

 private:
  Asymmetric<L> law_;
};

template <class L>
std::unique_ptr<AnyLaw::Interface> Model<L>::asymmetric(const Interface& minus,
                                                        double offset) const {
  const auto* other = dynamic_cast<const Model<L>*>(&minus);
  if (other == nullptr) {
    throw InputError({.message = "both directions must have the same law",
                      .value = minus.info().page.name,
                      .expected = info().page.name});
  }
  if (other->delay() != delay()) {
    throw InputError({.message = "both directions must look back by the same time",
                      .key = "tau_L",
                      .value = fmt::format("{:g}", other->delay()),
                      .expected = fmt::format("{:g} s", delay())});
  }
  return std::make_unique<AsymmetricModel<L>>(Asymmetric<L>{law_, other->law(), offset});
}

using Table = std::vector<std::unique_ptr<AnyLaw::Interface>>;

template <template <class> class... Law>
Table make_table(LawList<Law...>) {
  Table table;
  (table.push_back(std::make_unique<Model<Law<double>>>()), ...);
  return table;
}
const Table& table() {
  static const Table made = make_table(Laws{});
  return made;
}

std::unique_ptr<AnyLaw::Interface> find_law(std::string_view name) {
  for (const auto& law : table()) {
    if (name == law->info().page.name) return law->clone();
  }
  throw InputError(unknown_law("friction", name, AnyLaw::names()));
}

constexpr std::string_view minus_prefix = "minus.";

bool is_list(std::string_view text) { return text.starts_with('[') && text.ends_with(']'); }

/// One setting; points are read together, by apply_points.
void apply(AnyLaw& law, const Setting& setting, std::string_view key, bool per_load) {
  const LawInfo& info = law.info();
  if (info.takes_points && (key == "speeds" || key == "levels")) return;
  if (info.find(key) != nullptr && is_list(setting.value)) {
    Fault fault = setting.fault("a list");
    fault.expected = "one value";
    throw InputError(fault);
  }
  try {
    apply_setting(law, setting, key, per_load);
  } catch (const InputError& error) {
    Fault fault = error.fault();
    if (info.takes_points && info.find(key) == nullptr) fault.expected += ", speeds, levels";
    throw InputError(fault);
  }
}

/// Quantities separated by commas, in brackets or not.
std::vector<double> parse_list(const Setting& setting, const Dimension& wanted) {
  std::vector<double> list;
  std::string_view rest = setting.value;
  if (is_list(rest)) rest = rest.substr(1, rest.size() - 2);
  while (true) {
    const std::size_t comma = rest.find(',');
    list.push_back(parse_quantity(rest.substr(0, comma), wanted, setting.fault("")));
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

/// Reads `speeds` and `levels`, the last of each, which make sense only together.
void apply_points(AnyLaw& law, std::span<const Setting> settings, std::string_view prefix) {
  const Setting *speeds = nullptr, *levels = nullptr;
  for (const Setting& s : settings) {
    if (s.key == std::string(prefix) + "speeds") speeds = &s;
    if (s.key == std::string(prefix) + "levels") levels = &s;
  }
  if (speeds == nullptr && levels == nullptr) return;
  const Setting& one = speeds != nullptr ? *speeds : *levels;
  if (speeds == nullptr || levels == nullptr) {
    Fault fault = one.fault("one list of points without the other");
    fault.expected = "both speeds and levels";
    throw InputError(fault);
  }
  try {
    law.set_points(parse_list(*speeds, dim::speed), parse_list(*levels, dim::none));
  } catch (const InputError& error) {
    Fault fault = error.fault();
    if (fault.line == 0) fault.line = one.line;
    if (fault.file.empty()) fault.file = one.file;
    throw InputError(fault);
  }
}

bool is_minus(const Setting& setting) { return setting.key.starts_with(minus_prefix); }

/// One setting of the law for v < 0. What belongs to both directions has no such setting.
void apply_minus(AnyLaw& minus, const Setting& setting, bool per_load) {
  const std::string_view key = std::string_view(setting.key).substr(minus_prefix.size());
  const Parameter* parameter = minus.info().find(key);
  if (parameter != nullptr && !parameter->one_sided) {
    Fault fault = setting.fault("both directions share it");
    fault.expected = std::string(key);
    throw InputError(fault);
  }
  apply(minus, setting, key, per_load);
}

}  // namespace

AnyLaw::AnyLaw(std::string_view name) : law_(find_law(name)) {}
AnyLaw::AnyLaw(std::unique_ptr<Interface> law) : law_(std::move(law)) {}
AnyLaw::AnyLaw(const AnyLaw& other) : law_(other.law_->clone()) {}
AnyLaw& AnyLaw::operator=(const AnyLaw& other) {
  if (this != &other) law_ = other.law_->clone();
  return *this;
}
AnyLaw::AnyLaw(AnyLaw&&) noexcept = default;
AnyLaw& AnyLaw::operator=(AnyLaw&&) noexcept = default;
AnyLaw::~AnyLaw() = default;

const std::vector<std::string>& AnyLaw::names() {
  static const std::vector<std::string> made = [] {
    std::vector<std::string> names;
    for (const auto& law : table()) names.emplace_back(law->info().page.name);
    return names;
  }();
  return made;
}

const LawInfo& AnyLaw::info() const noexcept { return law_->info(); }

double AnyLaw::get(std::string_view key) const { return law_->get(info().at(key)); }

void AnyLaw::set(std::string_view key, double value) {
  law_->set(checked_parameter(info(), key, value), value);
}

void AnyLaw::set_points(std::span<const double> speeds, std::span<const double> levels) {
  FrictionPoints* points = law_->points();
  if (points == nullptr) {
    throw InputError({.message = fmt::format("law '{}' takes no points", name()), .key = "speeds"});
  }
  const std::string_view fault = FrictionPoints::fault(speeds, levels);
  if (!fault.empty()) {
    throw InputError({.message = fmt::format("{} speeds and {} levels make no curve", speeds.size(),
                                             levels.size()),
                      .key = "speeds",
                      .expected = std::string(fault)});
  }
  std::copy(speeds.begin(), speeds.end(), points->speed.begin());
  std::copy(levels.begin(), levels.end(), points->level.begin());
  points->count = speeds.size();
}

void AnyLaw::check() const {
  for (const Order& order : info().orders) {
    check_order(info(), order, get(order.greater), get(order.smaller));
  }
  check_consistency(info(), law_->inconsistency());
}

AnyLaw AnyLaw::asymmetric(const AnyLaw& minus, double offset) const {
  return AnyLaw(law_->asymmetric(*minus.law_, offset));
}
bool AnyLaw::is_asymmetric() const noexcept { return law_->is_asymmetric(); }
double AnyLaw::steady(double v, double fn) const noexcept { return law_->steady(v, fn); }
double AnyLaw::bound(double v, double fn) const noexcept { return law_->bound(v, fn); }
bool AnyLaw::passive(double fn) const noexcept { return law_->passive(fn); }
double AnyLaw::delay() const noexcept { return law_->delay(); }
StickSet AnyLaw::stick_set(double fn) const noexcept { return law_->stick_set(fn); }
std::unique_ptr<Group<1>> AnyLaw::line(int contacts) const { return law_->line(contacts); }
std::unique_ptr<Group<2>> AnyLaw::plane(int contacts) const { return law_->plane(contacts); }

AnyLaw make_law(std::string_view name, std::span<const Setting> settings) {
  AnyLaw law(name);
  // `per_load` changes the units of the others, so it is read first wherever it stands.
  for (const Setting& s : settings) {
    if (s.key == "per_load") apply_setting(law, s, s.key, false);
  }
  const Parameter* flag = law.info().find("per_load");
  const bool per_load = flag != nullptr && law.get("per_load") != 0.0;
  check_repeats(law.info(), settings);
  bool two_sided = false;
  double offset = 0;
  for (const Setting& s : settings) {
    if (s.key == "per_load") continue;
    if (s.key == "offset") {
      offset = parse_quantity(s.value, parse_unit("N").dimension, s.fault(""));
      two_sided = true;
    } else if (is_minus(s)) {
      if (s.key == "minus.per_load") {
        Fault fault = s.fault("both directions share it");
        fault.expected = "per_load";
        throw InputError(fault);
      }
      two_sided = true;
    } else {
      apply(law, s, s.key, per_load);
    }
  }
  if (law.info().takes_points) apply_points(law, settings, "");
  check_settings(law, settings);
  if (!two_sided) return law;
  AnyLaw minus = law;
  for (const Setting& s : settings) {
    if (is_minus(s)) apply_minus(minus, s, per_load);
  }
  if (minus.info().takes_points) apply_points(minus, settings, minus_prefix);
  check_settings(minus, settings, minus_prefix);
  return law.asymmetric(minus, offset);
}

std::vector<std::string> laws_with(Capability capability) {
  std::vector<std::string> names;
  for (const auto& law : table()) {
    if (law->info().can(capability)) names.emplace_back(law->info().page.name);
  }
  return names;
}

void require(const AnyLaw& law, Capability capability, std::string_view asker) {
  if (law.info().can(capability)) return;
  throw InputError({.message = fmt::format("{} needs a law that is {} ({}), which this one is not",
                                           asker, to_string(capability), meaning(capability)),
                    .key = "law",
                    .value = std::string(law.name()),
                    .expected = fmt::format("one of {}", fmt::join(laws_with(capability), ", "))});
}

std::string_view to_string(Capability capability) {
  switch (capability) {
    case Capability::smooth:
      return "smooth";
    case Capability::set_valued:
      return "set-valued";
    case Capability::hybrid:
      return "hybrid";
    case Capability::delayed:
      return "delayed";
    case Capability::random:
      return "random";
    case Capability::memory:
      return "with memory";
    case Capability::wrench:
      return "wrench";
  }
  return "";
}

std::string_view meaning(Capability capability) {
  switch (capability) {
    case Capability::smooth:
      return "force and state rate are continuous functions of slip and state";
    case Capability::set_valued:
      return "at rest any force up to a limit is possible";
    case Capability::hybrid:
      return "its state has modes that change at events";
    case Capability::delayed:
      return "it looks back at the slip of some time ago";
    case Capability::random:
      return "it draws random numbers from a seed";
    case Capability::memory:
      return "it has a state";
    case Capability::wrench:
      return "it answers to sliding and spinning; point laws without torque";
  }
  return "";
}

}  // namespace bristle
