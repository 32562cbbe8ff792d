#pragma once

/// A push in a few lines of YAML (area/pushing.hpp), and measured pairs to fit laws to
/// (area/push_fit.hpp):
///
///   object:                        # as in area.hpp; its origin is that of all that follows
///     shape: {rectangle: {length: 20 cm, width: 10 cm}}
///     law: exact
///   friction: 4.2 N                # μN of the object on its support; without it forces are shares
///   pusher:
///     at: [-10 cm, 2 cm]
///     normal: [1, 0]               # into the object
///     mu: 0.25
///     velocity: [2 cm/s, 0 m/s]
///   path:                          # optional: the motion over a time
///     duration: 5 s
///     curvature: 0 1/m             # of the edge; 1/R for a round object
///     left: 3 cm                   # how far the edge goes on, looking along the normal
///     right: 7 cm
///   pairs:                         # optional, or `pairs: pushes.csv`
///     file: pushes.csv             # columns fx, fy, m, vx, vy, omega
///     length: 5 cm                 # L of (v, Lω); without it that of the object's law, or 5 cm
///     laws: [ellipsoid, quartic]   # and supports, for an object on points
///     lambda: 0.1                  # weights for wrenches over their root mean square
///     beta: 3
///     folds: 0                     # 0: one pair at a time is left out
///     torsion: 2 mm                # of supports
///     centre_sd: 1.5 mm
///
/// A pusher needs an object or pairs, and there must be something to do.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/area/pushing.hpp"
#include "bristle/area/support_fit.hpp"
#include "bristle/io/document.hpp"

namespace bristle {

struct PushPairs {
  std::string file{};
  std::vector<LimitSample> samples{};  ///< N, N m; motions or displacements
  double length = 0.05;
  std::vector<std::string> laws{};
  LimitFitOptions weights{0.1, 3};  ///< for_wrenches_of
  std::size_t folds = 0;
  SupportModel supports{};  ///< without places unless asked for

  /// Fits the law of that name to samples.
  std::unique_ptr<AreaLaw> fit(const std::string& law, std::span<const LimitSample> some) const;
};

struct PushTask {
  std::string object{};              ///< in a few words
  std::unique_ptr<AreaLaw> law{};    ///< of the object; none if there is none
  std::optional<double> friction{};  ///< μN, N
  bool has_pusher = false;
  PushContact contact{};
  Point2 velocity = Point2::Zero();
  double duration = 0;  ///< of the path; 0: none is asked for
  PushEdge edge{};
  std::optional<PushPairs> pairs{};
};

/// InputError with file, line and key for what is wrong. Every key is read: `finish` the document
/// afterwards.
PushTask read_push(const Node& node);

/// Pairs from columns fx, fy (N), m (N m), vx, vy (m/s or m), omega (rad/s or rad); units in
/// brackets are checked. At least two rows.
std::vector<LimitSample> read_push_pairs(const std::filesystem::path& path);

}  // namespace bristle
