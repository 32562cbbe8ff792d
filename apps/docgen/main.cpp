// bristle_docgen [OUT_DIR]: the reference pages of the friction laws, with their pictures.
// bristle_docgen solvers FILE: the page on solvers.
// bristle_docgen normal FILE: the page on normal laws.
// bristle_docgen bodies FILE: the page on bodies in contact.
// bristle_docgen patch FILE.svg: the picture of the page on contact over areas.

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/io/atomic_file.hpp"
#include "docgen.hpp"

namespace bristle::docgen {
namespace {

void write_all(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::vector<Drift> drifts;
  for (const std::string& name : AnyLaw::names()) drifts.push_back(drift_of(AnyLaw(name)));
  write_file(folder / "README.md", index_page(drifts));
  save_figure(comparison_figure(), folder / "all-curves.svg");
  for (const Drift& drift : drifts) {
    const AnyLaw& law = drift.law;
    const std::string name(law.name());
    write_file(folder / (name + ".md"), law_page(drift));
    save_figure(steady_figure(law), folder / (name + ".svg"));
    if (law.info().can(Capability::memory)) {
      save_figure(loop_figure(law), folder / (name + "-loop.svg"));
    }
  }
}

}  // namespace
}  // namespace bristle::docgen

int main(int argc, char** argv) {
  const bool solvers = argc == 3 && std::string_view(argv[1]) == "solvers";
  const bool normal = argc == 3 && std::string_view(argv[1]) == "normal";
  const bool bodies = argc == 3 && std::string_view(argv[1]) == "bodies";
  const bool patch = argc == 3 && std::string_view(argv[1]) == "patch";
  const std::string folder = argc > 1 ? argv[1] : "docs/laws";
  if ((argc > 2 && !solvers && !normal && !bodies && !patch) || folder.starts_with("-")) {
    fmt::print(stderr,
               "usage: bristle_docgen [OUT_DIR]   (default docs/laws)\n"
               "       bristle_docgen solvers FILE\n"
               "       bristle_docgen normal FILE\n"
               "       bristle_docgen bodies FILE\n"
               "       bristle_docgen patch FILE.svg\n");
    return 2;
  }
  try {
    if (solvers) {
      const std::filesystem::path page = argv[2];
      bristle::write_file(page, bristle::docgen::solvers_page());
      bristle::save_figure(bristle::docgen::stick_slip_figure(),
                           page.parent_path() / "stick-slip.svg");
    } else if (normal) {
      const std::filesystem::path page = argv[2];
      bristle::write_file(page, bristle::docgen::normal_page());
      bristle::save_figure(bristle::docgen::restitution_figure(),
                           page.parent_path() / "restitution.svg");
    } else if (bodies) {
      const std::filesystem::path page = argv[2];
      bristle::write_file(page, bristle::docgen::bodies_page());
      bristle::save_figure(bristle::docgen::bore_figure(), page.parent_path() / "bore-path.svg");
    } else if (patch) {
      bristle::write_file(argv[2], bristle::docgen::patch_svg());
    } else {
      bristle::docgen::write_all(folder);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bristle_docgen: {}\n", error.what());
    return 1;
  }
}
