#include <algorithm>
#include <cstdio>
#include <new>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "bristle/version.hpp"
#ifdef BRISTLE_WITH_MUJOCO
#include "bristle/mujoco/robot.hpp"
#include "bristle/scenario/scenario.hpp"
#endif
#include "commands.hpp"
#include "usage.hpp"

int main(int argc, char** argv) {
#ifdef BRISTLE_WITH_MUJOCO
  bristle::set_robot_reader(bristle::read_robot);
#endif
  CLI::App app{
      "Bristle: contact and friction, from measurement to real time.\n"
      "'bristle COMMAND --help' explains a command and shows examples."};
  app.name("bristle");
  app.set_version_flag("--version", std::string("bristle ") + bristle::version);
  app.require_subcommand(1);
  bristle::cli::add_models(app);
  bristle::cli::add_curve(app);
  bristle::cli::add_restitution(app);
  bristle::cli::add_accuracy(app);
  bristle::cli::add_trace(app);
  bristle::cli::add_interference(app);
  bristle::cli::add_patch(app);
  bristle::cli::add_push(app);
  bristle::cli::add_scenarios(app);
  bristle::cli::add_run(app);
  bristle::cli::add_compare(app);
  bristle::cli::add_identify(app);
  bristle::cli::add_track(app);
  bristle::cli::add_peg_record(app);
  bristle::cli::add_reproduce(app);
  bristle::cli::add_study(app);
  bristle::cli::add_realtime(app);

  bristle::cli::refuse_empty_values(app);

  // A misspelt command deserves its name in the message.
  const auto check_command = [&] {
    if (argc < 2 || argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr))
      names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
    throw bristle::InputError({.message = "unknown command",
                               .value = argv[1],
                               .expected = bristle::one_of(names),
                               .nearest = bristle::nearest_name(argv[1], names)});
  };

  // Exit codes: 0 done, 1 the work failed, 2 bad input or usage. Nothing on stdout on error.
  try {
    check_command();
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const std::string command = argc > 1 && argv[1][0] != '-' ? std::string(argv[1]) + " " : "";
    fmt::print(stderr, "bristle: {}; try 'bristle {}--help'\n",
               bristle::cli::usage_fault(app, error), bristle::printable(command));
    return 2;
  } catch (const bristle::InputError& error) {
    fmt::print(stderr, "bristle: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "bristle: the memory is not enough for this\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bristle: {}\n", bristle::printable(error.what()));
    return 1;
  }
}
