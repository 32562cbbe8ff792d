#pragma once

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <hdf5.h>

#include "bristle/core/error.hpp"
#include "bristle/core/input_file.hpp"
#include "bristle/core/names.hpp"
#include "stored_part.hpp"

namespace bristle::detail {

/// The library need not be built for threads: whoever calls it, or matio, holds this.
std::mutex& hdf5_mutex();

using Closer = herr_t (*)(hid_t);

class Handle {
 public:
  Handle(hid_t id, Closer close, std::string_view failure) : id_(id), close_(close) {
    if (id < 0) throw Refused{std::string(failure)};
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() { close_(id_); }

  operator hid_t() const noexcept { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  Closer close_;
};

inline void require(herr_t status, std::string_view failure) {
  if (status < 0) throw Refused{std::string(failure)};
}

/// The library prints its faults unless told otherwise; ours are exceptions.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  Quiet(Quiet&&) = delete;
  Quiet& operator=(Quiet&&) = delete;
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Of memory the libraries say nothing but that something failed, or was not there; malloc does.
inline void require_memory() {
  if (errno == ENOMEM) throw std::bad_alloc();
}

/// Runs body(names) on a file under the library's lock, with its own complaints silenced. What it
/// refuses is told with the file, the name sought, and the nearest of the `names` it left behind.
template <class Body>
auto read_quietly(const std::filesystem::path& path, const std::string& sought, Body&& body) {
  require_input(path, limits::array_file_bytes);  // the libraries do not say what is wrong
  const std::lock_guard lock(hdf5_mutex());
  const Quiet quiet;
  std::vector<std::string> names;
  errno = 0;
  try {
    auto read = body(names);
    require_memory();
    return read;
  } catch (const Refused& refused) {
    require_memory();
    throw InputError({.message = refused.message,
                      .file = path.string(),
                      .key = sought,
                      .expected = refused.expected,
                      .nearest = nearest_name(sought, names)});
  }
}

}  // namespace bristle::detail
