#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include <hdf5.h>

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

}  // namespace bristle::detail
