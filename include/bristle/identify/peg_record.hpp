#pragma once

/// A synthetic record of the peg-in-hole test (Lin 2001, chapter 5, Appendix B): what a rig with a
/// known friction would log. For trying the recipe `peg-hole`, and for asking beforehand what a rig
/// of this noise can tell.
///
///   write_csv(file, peg_record({.noise = 0.36}));    // t, depth, angle, forces on both walls
///
/// Ten seconds of insertion at 10 mm/s, one of hold, ten of removal. The peg comes leaning by
/// `angle`; at first nothing touches (the sensors' rest), then the edge of the peg meets the root
/// of the chamfer (point b), then the corner the other wall (point a). From there the two contacts
/// keep the peg's angle: d cos θ + X_b sin θ = D. The normal forces grow with depth. Friction is
/// the MDSF law along the slip of each point, stepped at ten times the rate of the record.
///
/// Widths and times are those of the test-case CDV022-5; friction is what the thesis identified.
/// Its noise is not printed: 0.36 N is what remains per sample of the best fit of the
/// insertion, 25.7 N over 5000 samples (Table 5.2). Normal forces, depths of first contact and
/// resolutions are ours.

#include <cstdint>
#include <optional>

#include "bristle/io/csv.hpp"

namespace bristle {

struct PegFriction {
  double mu = 0.255, k_f = 1.85e5, alpha = 0.278, beta = 67.9;
};

struct PegRecordOptions {
  PegFriction a{}, b{.mu = 0.297};
  std::optional<double> mu_a_removal{};  ///< if friction at a is another after the hold
  double width = 12.446e-3;              ///< of the peg (0.49 in), m
  double hole = 15.494e-3;               ///< 0.61 in
  double root = 2e-3;                    ///< of the chamfer, below the mouth
  double angle = 0.08;                   ///< at which the peg comes, rad
  double rate = 500;                     ///< Hz
  double noise = 0.36;                   ///< of each force, N
  double drift = 0;                      ///< constant offset of each force, N
  double depth_resolution = 1e-6;        ///< m
  double angle_noise = 1e-5;             ///< rad
  std::uint64_t seed = 1;
};

/// Columns t, depth, angle, a_across, a_along, b_across, b_along.
Table peg_record(const PegRecordOptions& options = {});

}  // namespace bristle
