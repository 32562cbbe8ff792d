#pragma once

#include "bristle/io/document.hpp"

namespace bristle {

/// Calls make(), and gives a fault that names no file the place of `node`, where it was asked for.
template <class F>
auto located(const Node& node, F&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    Fault fault = error.fault();
    if (fault.file.empty()) {
      const Fault here = node.fault(fault.message);
      fault.file = here.file;
      fault.line = here.line;
      if (fault.key.empty()) fault.key = here.key;
    }
    throw InputError(fault);
  }
}

}  // namespace bristle
