#pragma once

/// Laws over an area, by name.
///
///   auto law = make_area_law("I00", PressedArea::disc(0.01));        // fitted to the disc
///   auto paper = make_area_law("I00", disc, {.m = 2, .b = 0.01});    // as in the source
///
///   exact            the integral itself                                  exact_law.hpp
///   I00              linear over a norm, closed-form hold                 linear_ratio_law.hpp
///   I00-separate, I10, I01, I11, I11-separate, I20, I02                   ratio_law.hpp
///   pade, pade2      Zhuravlev, first and second order; no fit            pade_law.hpp
///   ellipsoid        Howe and Cutkosky                                    ellipsoid_law.hpp
///   contensou        Gonthier's Contensou factors                         ellipsoid_law.hpp
///   quartic          convex, of fourth degree                             quartic_law.hpp
///
/// All but the exact one are written about the centre of pressure, where they are at their best,
/// and answer about the area's pole (shifted_law.hpp); `about_centre = false` writes them about the
/// pole itself, as the source does.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bristle/area/law.hpp"
#include "bristle/area/pressed_area.hpp"

namespace bristle {

/// For ratio laws only: given together or not at all; without them they are fitted, which takes
/// a few thousand exact frictions.
struct AreaLawOptions {
  std::optional<double> m{}, b{};                ///< of all components, or of the force
  std::optional<double> m_torque{}, b_torque{};  ///< for "-separate"
  double length = 0;                             ///< of the fit's grid, m; 0: the area's reach
  bool about_centre = true;                      ///< the law's own pole
};

std::span<const std::string> area_law_names() noexcept;

/// Throws InputError for a name that is not one of them (with the nearest one), and for an area or
/// options for which there is no such law.
std::unique_ptr<AreaLaw> make_area_law(std::string_view name, const PressedArea& area,
                                       const AreaLawOptions& options = {});

}  // namespace bristle
