#pragma once

// Tolerances that are too loose for a law.

#include <string>
#include <vector>

#include "bristle/solve/integrator.hpp"
#include "bristle/system/rig.hpp"

namespace bristle::detail {

/// The speed over which a law without memory goes from nothing to half of what it can do, m/s; 0
/// for laws that jump, remember, or have none.
double turning_speed(const AnyLaw& law);

/// A smooth law that is nearly a jump needs slips to be known to a small part of that speed. Slip
/// is the difference of two speeds, each good to rtol only: where that is not enough, stiff methods
/// go wrong without a word. So the tolerance is tightened, and a note says so. InputError where no
/// tolerance would do.
Tolerance tightened(const Rig& rig, const Tolerance& asked, std::vector<std::string>& notes);

}  // namespace bristle::detail
