#include "bristle/normal/any_normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/normal/laws.hpp"

namespace bristle {

struct AnyNormal::Interface {
  virtual ~Interface() = default;
  virtual std::unique_ptr<Interface> clone() const = 0;
  virtual const NormalInfo& info() const noexcept = 0;
  virtual double get(const Parameter& parameter) const noexcept = 0;
  virtual void set(const Parameter& parameter, double value) noexcept = 0;
  virtual std::string_view inconsistency() const noexcept = 0;
  virtual Press<> latch(double v_i) const noexcept = 0;
  virtual double requested(double v_i) const noexcept = 0;
};

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class L>
class Model final : public AnyNormal::Interface {
 public:
  explicit Model(const L& law = L{}) : law_(law) {}

  std::unique_ptr<Interface> clone() const override { return std::make_unique<Model>(law_); }
  const NormalInfo& info() const noexcept override {
    static const NormalInfo made = [] {
      NormalInfo info{model_info<L>(), normal::AsksForRestitution<L>, normal::ExactRestitution<L>,
                      false};
      info.takes_restitution = info.find("e") != nullptr;
      return info;
    }();
    return made;
  }
  double get(const Parameter& parameter) const noexcept override {
    return get_parameter(law_, parameter);
  }
  void set(const Parameter& parameter, double value) noexcept override {
    set_parameter(law_, parameter, value);
  }
  std::string_view inconsistency() const noexcept override { return inconsistency_of(law_); }
  Press<> latch(double v_i) const noexcept override { return law_.latch(v_i); }
  double requested(double v_i) const noexcept override {
    if constexpr (normal::AsksForRestitution<L>) return law_.requested(v_i);
    return nan;
  }

 private:
  L law_;
};

using Table = std::vector<std::unique_ptr<AnyNormal::Interface>>;

template <template <class> class... Law>
Table make_table(normal::LawList<Law...>) {
  Table table;
  (table.push_back(std::make_unique<Model<Law<double>>>()), ...);
  return table;
}
const Table& table() {
  static const Table made = make_table(normal::Laws{});
  return made;
}

std::unique_ptr<AnyNormal::Interface> find_law(std::string_view name) {
  for (const auto& law : table()) {
    if (name == law->info().page.name) return law->clone();
  }
  throw InputError(unknown_law("normal", name, AnyNormal::names()));
}

}  // namespace

AnyNormal::AnyNormal(std::string_view name) : law_(find_law(name)) {}
AnyNormal::AnyNormal(const AnyNormal& other) : law_(other.law_->clone()) {}
AnyNormal& AnyNormal::operator=(const AnyNormal& other) {
  if (this != &other) law_ = other.law_->clone();
  return *this;
}
AnyNormal::AnyNormal(AnyNormal&&) noexcept = default;
AnyNormal& AnyNormal::operator=(AnyNormal&&) noexcept = default;
AnyNormal::~AnyNormal() = default;

const std::vector<std::string>& AnyNormal::names() {
  static const std::vector<std::string> made = [] {
    std::vector<std::string> names;
    for (const auto& law : table()) names.emplace_back(law->info().page.name);
    return names;
  }();
  return made;
}

const NormalInfo& AnyNormal::info() const noexcept { return law_->info(); }

double AnyNormal::get(std::string_view key) const { return law_->get(info().at(key)); }

void AnyNormal::set(std::string_view key, double value) {
  law_->set(checked_parameter(info(), key, value), value);
}

void AnyNormal::check() const {
  for (const Order& order : info().orders) {
    check_order(info(), order, get(order.greater), get(order.smaller));
  }
  check_consistency(info(), law_->inconsistency());
}

Press<> AnyNormal::latch(double v_i) const noexcept { return law_->latch(std::max(v_i, 0.0)); }
double AnyNormal::requested(double v_i) const noexcept {
  return law_->requested(std::max(v_i, 0.0));
}
double AnyNormal::achieved(double v_i) const noexcept {
  const double speed = std::max(v_i, 0.0);
  const Press<> press = law_->latch(speed);
  return press.b == 0.0 ? normal::effective_restitution(press.a * speed) : nan;
}

AnyNormal make_normal(std::string_view name, std::span<const Setting> settings) {
  AnyNormal law(name);
  check_repeats(law.info(), settings);
  for (const Setting& s : settings) apply_setting(law, s, s.key);
  check_settings(law, settings);
  return law;
}

}  // namespace bristle
