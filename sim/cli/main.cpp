#include <csignal>
#include <exception>
#include <iostream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "aftershock_version.h"
#include "policies/api/config.h"
#include "sim/cli/command.h"
#include "sim/control/external/channel.h"
#include "sim/engine/module.h"

namespace {

using namespace aftershock::sim;

// CLI11 says what it did not expect; this adds what was probably meant.
void suggest(const CLI::App& app, int count, char** arguments) {
  const CLI::App* command = &app;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    std::vector<std::string_view> known;
    std::vector<std::string> storage;
    if (word.starts_with("--")) {
      for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) {
          storage.push_back("--" + name);
        }
      }
    } else {
      for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; })) {
        storage.push_back(sub->get_name());
        if (sub->get_name() == word) {
          command = sub;
          storage.clear();
          break;
        }
      }
    }
    known.assign(storage.begin(), storage.end());
    if (i == 1 && !word.starts_with("-") && command == &app) {
      cli::complain(fmt::format("unknown command {}; the commands are: {}", in_quotes(word),
                                fmt::join(storage, ", ")));
    }
    const std::string_view flag = word.substr(0, word.find('='));
    if (storage.empty() || std::ranges::find(known, flag) != known.end()) {
      continue;
    }
    if (const std::string_view nearest = aftershock::policies::nearest_name(flag, known);
        !nearest.empty()) {
      cli::complain(fmt::format("did you mean {}?", nearest));
      return;
    }
  }
}

/// A file that is opened while a standard descriptor is closed would get its number, and what is
/// printed would end up in it. The place is taken by something that cannot be read or written.
void take_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) == -1) {
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

int run(int count, char** arguments) {
  CLI::App app{"Aftershock: what will this recovery policy lose when things break?", "aftershock"};
  app.set_version_flag(
      "--version", fmt::format("aftershock {} ({})", aftershock::kVersion, aftershock::kCommit));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  int exit_code = cli::kOk;
  cli::add_run(app, exit_code);
  cli::add_sweep(app, exit_code);
  cli::add_compare(app, exit_code);
  cli::add_report(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_matrix(app, exit_code);
  cli::add_explore(app, exit_code);
  cli::add_shrink(app, exit_code);
  cli::add_init(app, exit_code);
  cli::add_advise(app, exit_code);
  cli::add_why(app, exit_code);
  cli::add_validate(app, exit_code);
  cli::add_schema(app, exit_code);
  cli::add_scenarios(app, exit_code);
  cli::add_policies(app, exit_code);
  cli::add_faults(app, exit_code);
  cli::add_export(app, exit_code);
  cli::add_replay(app, exit_code);
  cli::add_import(app, exit_code);
  cli::add_invariants(app, exit_code);
  cli::add_view(app, exit_code);
  cli::refuse_empty_values(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    if (count == 1) {
      cli::complain(app.help());  // nothing was asked: this is what can be
    } else {
      app.exit(error, std::cout, std::cerr);
    }
    if (!asked) {
      suggest(app, count, arguments);
    }
    exit_code = asked ? cli::kOk : cli::kUnusable;
  }
  std::cout.flush();
  if (!cli::flush_output() && exit_code == cli::kOk) {
    exit_code = cli::kUnusable;
  }
  return exit_code;
}

}  // namespace

int main(int count, char** arguments) {
  // A reader that goes away is an error to report, not a reason to vanish.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow any further.
  std::signal(SIGXFSZ, SIG_IGN);
  take_closed_descriptors();
  try {
    return run(count, arguments);
  } catch (const aftershock::sim::MissingModule& missing) {
    cli::complain(missing.what());
    return cli::kUnusable;
  } catch (const aftershock::sim::PolicyFailed& failed) {
    cli::complain(failed.what());
    return cli::kPolicyProcessFailed;
  } catch (const std::exception& error) {
    cli::complain(fmt::format("internal error: {}", error.what()));
    return cli::kInternalError;
  }
}
