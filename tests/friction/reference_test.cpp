// Known answers, computed independently of this library.

#include "reference.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/friction/any_law.hpp"
#include "bristle/friction/chaturvedi.hpp"
#include "bristle/solve/prescribed.hpp"

namespace bristle {
namespace {

using testing::Reference;

AnyLaw with(const char* name, const std::vector<std::pair<const char*, double>>& values) {
  AnyLaw law(name);
  for (const auto& [key, value] : values) law.set(key, value);
  law.check();
  return law;
}

/// Steady forces of the entry `ss.NAME`, to 1e-10 relative.
void expect_steady(const AnyLaw& law, const std::string& entry, double from_speed = 0) {
  const auto& value = Reference::entry(entry)["value"];
  for (std::size_t i = 0; i < value["v"].size(); ++i) {
    const double v = value["v"][i], f = value["F"][i];
    if (v <= from_speed) continue;
    EXPECT_NEAR(law.steady(v, 1.0), f, 1e-10 * f) << entry << " at v = " << v;
    EXPECT_NEAR(law.steady(-v, 1.0), -f, 1e-10 * f) << entry << " at v = " << -v;
  }
}

TEST(ReferenceCurves, ClosedForms) {
  expect_steady(AnyLaw("classical"), "ss.classical");
  expect_steady(with("coulomb-regularised", {{"eps", 1e-4}}), "ss.tanh");
  expect_steady(AnyLaw("brown-mcphee"), "ss.bm");
  expect_steady(AnyLaw("chaturvedi"), "ss.chaturvedi");
  expect_steady(AnyLaw("wang-rui"), "ss.wangrui_B12880");
  expect_steady(AnyLaw("armstrong-7"), "ss.seven");
  expect_steady(AnyLaw("lugre"), "ss.lugre");
  expect_steady(AnyLaw("gonthier"), "ss.gonthier");
  expect_steady(AnyLaw("dahl"), "ss.dahl");
  expect_steady(AnyLaw("karnopp"), "ss.karnopp_slide");
  expect_steady(AnyLaw("reset-integrator"), "ss.reset_slide");
  // The reference counts 20 bonds at any speed; the law counts all 25 up to v_b.
  expect_steady(AnyLaw("bristle"), "ss.bristle_N20_mean", 1e-4);
}

TEST(ReferenceCurves, BristleLevels) {
  const AnyLaw law("bristle");
  EXPECT_NEAR(law.steady(1e-3, 1), Reference::value("bristle.kinetic_mean_N20"), 1e-12);
  EXPECT_NEAR(law.steady(1e-5, 1), Reference::value("bristle.kinetic_mean_N25"), 1e-12);
  EXPECT_NEAR(law.bound(1e-5, 1), Reference::value("bristle.max_N25"), 1e-12);
}

TEST(ReferenceCurves, Chaturvedi) {
  for (const char* name :
       {"chat.mus0.25_mud0.2_Fn1.0", "chat.mus0.3_mud0.2_Fn9.81", "chat.mus0.5_mud0.4_Fn5.0",
        "chat.mus0.8_mud0.6_Fn1.0", "chat.mus0.8_mud0.6_Fn50.0"}) {
    const auto& entry = Reference::entry(name);
    const auto& value = entry["value"];
    const double fn = entry["params"]["Fn"];
    Chaturvedi<> law;
    law.mu_s = entry["params"]["mus"];
    law.mu_k = entry["params"]["mud"];
    const auto force = [&](double v) { return law.steady(Tangent<double, 1>(v), fn)[0]; };
    EXPECT_NEAR(law.shape_factor(), value["C"].get<double>(), 1e-13) << name;
    EXPECT_NEAR(law.stiffness_factor(fn), value["B"].get<double>(), 1e-10) << name;
    EXPECT_NEAR(force(value["v_peak"]), value["F_peak"].get<double>(), 1e-9) << name;
    EXPECT_NEAR(force(1.0), value["F_1ms"].get<double>(), 1e-9) << name;
    EXPECT_NEAR(force(1e12), value["F_inf"].get<double>(), 1e-9) << name;
  }
}

// ---- prescribed slip ----------------------------------------------------------------------------

/// Slip v(t) on a uniform grid under a load of 1 N.
template <class F>
SlipHistory<1> history(double t0, double t1, int n, F&& v) {
  SlipHistory<1> h;
  for (int i = 0; i <= n; ++i) {
    const double t = t0 + (t1 - t0) * i / n;
    h.t.push_back(t);
    h.v.emplace_back(v(t));
    h.fn.push_back(1.0);
  }
  return h;
}

TEST(ReferenceTraces, PreslidingDisplacement) {
  // Quasi-static: 1 nm/s, so that the rate terms vanish.
  for (const double level : {0.05, 0.1, 0.2}) {
    for (const char* name : {"lugre", "gonthier"}) {
      const std::string entry =
          "presliding." + std::string(name) + ".x_at_" + fmt::format("{:g}", level);
      const double x = Reference::value(entry);
      const Trace<1> trace =
          run_prescribed(AnyLaw(name), history(0, x / 1e-9, 400, [](double) { return 1e-9; }));
      EXPECT_NEAR(trace.force.back()[0], level, 1e-6) << entry;
    }
  }
}

TEST(ReferenceTraces, FrictionalLag) {
  const auto lag = [](const AnyLaw& law, const std::string& entry, double w) {
    const auto& value = Reference::entry(entry)["value"];
    const double period = 2 * std::numbers::pi / w;
    const int per_cycle = 20000;
    const SlipHistory<1> h = history(0, 3 * period, 3 * per_cycle,
                                     [&](double t) { return 1.55e-3 + 1.45e-3 * std::sin(w * t); });
    const Trace<1> trace = run_prescribed(law, h, {.substeps = 4});
    double up = 0, down = 0, area = 0;
    for (std::size_t k = 2 * per_cycle + 1; k < h.t.size(); ++k) {
      const double v0 = h.v[k - 1][0], v1 = h.v[k][0];
      const double f0 = trace.force[k - 1][0], f1 = trace.force[k][0];
      area += 0.5 * (f0 + f1) * (v1 - v0);
      if ((v0 - 1e-3) * (v1 - 1e-3) > 0) continue;
      const double f = f0 + (f1 - f0) * (1e-3 - v0) / (v1 - v0);
      (v1 > v0 ? up : down) = f;
    }
    EXPECT_NEAR(up, value["F_up"].get<double>(), 2e-6) << entry;
    EXPECT_NEAR(down, value["F_down"].get<double>(), 2e-6) << entry;
    EXPECT_NEAR(area, value["area"].get<double>(), 1e-8) << entry;
  };
  for (const double w : {1.0, 10.0, 100.0}) {
    const std::string suffix = fmt::format(".w{:g}", w);
    lag(AnyLaw("lugre"), "lag.lugre" + suffix, w);
    lag(with("lugre", {{"sigma1", 10}}), "lag.lugre_s1_10" + suffix, w);
    lag(with("gonthier", {{"bounded", 0}}), "lag.gonthier" + suffix, w);
    lag(with("brown-mcphee", {{"v_t", 1e-3}}), "lag.bm" + suffix, w);
  }
}

TEST(ReferenceTraces, DwellPeakOfGonthier) {
  // Slide at 10 mm/s for 0.5 s, rest, then accelerate at 10 mm/s².
  const AnyLaw law = with("gonthier", {{"sigma2", 0}, {"bounded", 0}});
  for (const char* rest :
       {"0.01", "0.05", "0.1", "0.2", "0.5", "1.0", "2.0", "5.0", "10.0", "20.0"}) {
    const std::string entry = "dwell.gonthier." + std::string(rest);
    const double t_r = std::stod(rest);
    SlipHistory<1> h = history(0, 0.5, 100, [](double) { return 0.01; });
    const auto append = [&](double t, double v) {
      h.t.push_back(t);
      h.v.emplace_back(v);
      h.fn.push_back(1);
    };
    append(0.5 + 1e-9, 0);
    append(0.5 + t_r, 0);
    const int n = 30000;
    for (int i = 1; i <= n; ++i) append(0.5 + t_r + i * 0.5 / n, 0.01 * i * 0.5 / n);
    const Trace<1> trace = run_prescribed(law, h);
    double peak = 0;
    for (std::size_t k = 102; k < h.t.size(); ++k) peak = std::max(peak, trace.force[k][0]);
    EXPECT_NEAR(peak, Reference::value(entry), 3e-6) << entry;
  }
}

TEST(ReferenceTraces, DwellLevelOfArmstrong) {
  for (const char* gamma : {"2", "100"}) {
    AnyLaw law =
        with("armstrong-7", {{"gamma", std::stod(gamma)}, {"f_sa0", 0}, {"k_t", 1e8}, {"dv", 0}});
    for (const char* rest : {"0.01", "0.1", "1.0", "5.0", "20.0"}) {
      const std::string entry = "dwell.seven.g" + std::string(gamma) + "." + rest;
      const double t_r = std::stod(rest);
      // At rest for t_r, then a stretch so quick and a spring so stiff that no time passes in it.
      SlipHistory<1> h = history(0, t_r, 1, [](double) { return 0.0; });
      const int n = 20000;
      for (int i = 0; i < n; ++i) {
        h.t.push_back(t_r + 1e-9 + i * 1e-9);
        h.v.emplace_back(3e-9 / (n * 1e-9));
        h.fn.push_back(1);
      }
      const Trace<1> trace = run_prescribed(law, h);
      double peak = 0;
      for (const auto& f : trace.force) peak = std::max(peak, f[0]);
      EXPECT_NEAR(peak, Reference::value(entry), 2e-5) << entry;
    }
  }
}

TEST(ReferenceTraces, SlowAcceleration) {
  for (const char* a_text : {"0.0001", "0.0002", "0.0005", "0.001"}) {
    const std::string entry = "boos.fig5_1.dwell_bounded.a" + std::string(a_text);
    const auto& e = Reference::entry(entry);
    const double a = e["params"]["a"], x_peak = e["value"]["x_peak"];
    AnyLaw law = with("gonthier", {{"mu_s", 0.5},
                                   {"mu_k", 0.4},
                                   {"sigma0", 1e4},
                                   {"sigma2", 0},
                                   {"v_s", 1e-4},
                                   {"tau_dw", 0.3},
                                   {"per_load", 1}});
    const double t_end = 2 * std::sqrt(2 * x_peak / a);
    const SlipHistory<1> h = history(0, t_end, 40000, [&](double t) { return a * t; });
    const Trace<1> trace = run_prescribed(law, h);
    double peak = 0;
    for (const auto& f : trace.force) peak = std::max(peak, f[0]);
    EXPECT_NEAR(peak, e["value"]["peak"].get<double>(), 2e-5) << entry;
  }
}

TEST(ReferenceTraces, DwellStateUnderOscillation) {
  for (const char* f_text : {"0.25", "0.5", "1.0", "2.0"}) {
    const std::string entry = "boos.fig5_14.V0.002.vs0.0001.tbr0.0316.f" + std::string(f_text);
    const auto& e = Reference::entry(entry);
    const double f = e["params"]["f"];
    const AnyLaw law = with("gonthier", {{"sigma0", 1e4}, {"v_s", 1e-4}, {"tau_dw", 0.3}});
    const int per_cycle = 100000;
    const SlipHistory<1> h = history(0, 3 / f, 3 * per_cycle, [&](double t) {
      return 0.002 * std::sin(2 * std::numbers::pi * f * t);
    });
    const Trace<1> trace = run_prescribed(law, h);
    double peak = 0;
    for (std::size_t k = per_cycle; k < h.t.size(); ++k) peak = std::max(peak, trace.state[1][k]);
    EXPECT_NEAR(peak, e["value"]["s_dw_peak"].get<double>(), 1e-5) << entry;
  }
}

}  // namespace
}  // namespace bristle
