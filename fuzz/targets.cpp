#include "targets.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <random>

#include <fmt/format.h>

namespace bristle::fuzz {
namespace {

namespace fs = std::filesystem;

/// Gone when the process ends in order.
class Scratch {
 public:
  Scratch()
      : path_(fs::temp_directory_path() /
              fmt::format("bristle-fuzz-{:08x}", std::random_device{}())) {
    fs::create_directories(path_);
    std::string log = "t [s], v [m/s], x [m], fn [N], F [N]\n",
                pushes = "fx, fy, m, vx, vy, omega\n";
    for (int i = 0; i < 60; ++i) {
      const double t = 0.01 * i, v = 0.01 * std::sin(6.0 * t + 0.3),
                   x = 0.002 * (1 - std::cos(6.0 * t));
      log += fmt::format("{},{},{},{},{}\n", t, v, x, 10.0, 2 * std::tanh(200 * v));
    }
    for (int i = 0; i < 12; ++i) {
      const double a = 0.5 * i;
      pushes += fmt::format("{},{},{},{},{},{}\n", std::cos(a), std::sin(a), 0.02 * std::sin(2 * a),
                            0.01 * std::cos(a), 0.01 * std::sin(a), 0.1 * std::sin(2 * a));
    }
    write("log.csv", log);
    write("pushes.csv", pushes);
    write("tetrahedron.obj",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  void write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const Scratch& folder() {
  static const Scratch scratch;
  return scratch;
}

}  // namespace

std::span<const Target> targets() {
  static constexpr std::array all{
      Target{"csv", csv},
      Target{"document", document},
      Target{"expression", expression},
      Target{"hdf5", hdf5},
      Target{"identify", identify},
      Target{"interference", interference},
      Target{"mat", mat},
      Target{"mesh", mesh},
      Target{"push", push},
      Target{"scenario", scenario},
      Target{"track", track},
      Target{"units", units},
  };
  return all;
}

const fs::path& scratch() { return folder().path(); }

fs::path as_file(const std::string& name, std::string_view bytes) {
  folder().write(name, bytes);
  return folder().path() / name;
}

}  // namespace bristle::fuzz
