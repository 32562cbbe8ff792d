#pragma once

#include "bristle/io/document.hpp"
#include "bristle/system/signal.hpp"

namespace bristle::detail {

/// A function of time: a quantity, or a map of terms
///   {value, rate, amplitude, frequency, phase, from, until, hold_from}, {times, values} or
///   {file, column, time}, or a list of such maps, which are added. {input, value} is set from
///   outside while time goes on, and has its value until then.
Signal read_signal(const Node& node, const Dimension& dimension);

}  // namespace bristle::detail
