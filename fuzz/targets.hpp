#pragma once

/// The readers of input, each fed with any bytes: libFuzzer's ends of them (fuzz/driver.cpp), and
/// the tests that feed them the seeds (tests/fuzz).
///
/// A target returns where the bytes are read or are refused with InputError in one line. Anything
/// else that is thrown, as what `require` throws where two readings do not agree, is a fault.

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>

#include "bristle/core/error.hpp"

namespace bristle::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

void csv(std::string_view bytes);
void document(std::string_view bytes);
void expression(std::string_view bytes);
void hdf5(std::string_view bytes);
void identify(std::string_view bytes);
void interference(std::string_view bytes);
void mat(std::string_view bytes);
void mesh(std::string_view bytes);
void push(std::string_view bytes);
void scenario(std::string_view bytes);
void track(std::string_view bytes);
void units(std::string_view bytes);

/// All of them, by name.
std::span<const Target> targets();

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

/// False where the input was refused as it should be: by InputError, or by a plain runtime_error
/// where it was understood but cannot be worked on. Those of libraries would be raw to a user.
template <class Read>
bool accepted(Read&& read) {
  try {
    read();
    return true;
  } catch (const std::runtime_error& error) {
    if (typeid(error) != typeid(InputError) && typeid(error) != typeid(std::runtime_error)) throw;
    const std::string_view line = error.what();
    require(!line.empty() && line.find('\n') == std::string_view::npos, "a refusal is one line");
    return false;
  }
}

/// A folder of this process, with the data that tasks refer to (log.csv, pushes.csv,
/// tetrahedron.obj).
const std::filesystem::path& scratch();

/// The bytes as a file in that folder.
std::filesystem::path as_file(const std::string& name, std::string_view bytes);

}  // namespace bristle::fuzz
