#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "bristle/version.hpp"
#ifdef BRISTLE_WITH_MUJOCO
#include "bristle/mujoco/robot.hpp"
#include "bristle/scenario/scenario.hpp"
#endif
#include "commands.hpp"
#include "say.hpp"
#include "usage.hpp"

namespace {

/// A stream that is closed must not become the first file that is opened: /dev/null keeps its
/// number, and refuses what is written as the closed one would.
void keep_streams() {
  for (int file = ::open("/dev/null", O_RDONLY); file >= 0; file = ::open("/dev/null", O_RDONLY)) {
    if (file <= STDERR_FILENO) continue;
    ::close(file);
    return;
  }
}

/// What no handler can catch: libraries have destructors that ask for memory.
[[noreturn]] void end_with_one_line() noexcept {
  std::fputs("bristle: ended by a fault of the program, or no memory was left\n", stderr);
  std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_with_one_line);
  keep_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is refused, with its name
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
    bristle::cli::say("bristle: {}; try 'bristle {}--help'\n",
                      bristle::cli::usage_fault(app, error), bristle::printable(command));
    return 2;
  } catch (const bristle::InputError& error) {
    bristle::cli::say("bristle: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fputs("bristle: out of memory\n", stderr);
    std::_Exit(1);  // libraries that had none either complain of it when they are ended
  } catch (const std::exception& error) {
    bristle::cli::say("bristle: {}\n", bristle::printable(error.what()));
    return 1;
  }
}
