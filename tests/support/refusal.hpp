#pragma once

#include <string>

#include "bristle/core/error.hpp"

namespace bristle::testing_support {

/// What a user is told by the InputError of `act`; "accepted" if there is none.
template <class F>
std::string refusal(F&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace bristle::testing_support
