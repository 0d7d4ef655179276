#include <algorithm>
#include <csignal>
#include <exception>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "aftershock_version.h"
#include "base/assert.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/out_of_memory.h"
#include "sim/control/external/channel.h"
#include "sim/engine/module.h"

namespace {

using namespace aftershock::sim;

/// A file that is opened while a standard descriptor is closed would get its number, and what is
/// printed would end up in it. The place is taken by something that cannot be read or written.
void take_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) == -1) {
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

/// Adds the command of this name alone: the options of all of them take longer to build than a
/// short scenario runs. Adds every command where none has that name, for --help and for
/// suggestions.
void add_commands(cli::Command app, std::string_view name, int& exit_code) {
  const auto* const chosen = std::ranges::find(cli::kCommands, name, &cli::CommandRow::name);
  if (chosen != cli::kCommands.end()) {
    chosen->add(app, exit_code);
    return;
  }
  app.footer(
      "aftershock help COMMAND: the options of a command\n"
      "aftershock version: the same as --version");
  for (const cli::CommandRow& row : cli::kCommands) {
    row.add(app, exit_code);
    AFTERSHOCK_ASSERT(app.has_command(row.name));
  }
}

/// `help`, `help COMMAND...` and `version` are other words for options that every command line has.
std::vector<char*> as_options(int count, char** words) {
  static char help[] = "--help";
  static char version[] = "--version";
  std::vector<char*> options(words, words + count);
  const std::string_view first = count > 1 ? words[1] : "";
  if (first == "help" || first == "version") {
    options.erase(options.begin() + 1);
    // The program's own help tells of both words.
    const std::string_view about = count > 2 ? words[2] : "";
    if (first == "help" && (about == "help" || about == "version")) {
      options.erase(options.begin() + 1);
    }
    options.push_back(first == "help" ? help : version);
  }
  return options;
}

int run(int given, char** given_words) {
  std::vector<char*> options = as_options(given, given_words);
  const int count = static_cast<int>(options.size());
  char** words = options.data();
  cli::Program program(
      "aftershock", "Aftershock: what will this recovery policy lose when things break?",
      fmt::format("aftershock {} ({})", aftershock::kVersion, aftershock::kCommit));
  int exit_code = cli::kOk;
  add_commands(program.top(), count > 1 ? words[1] : "", exit_code);
  const cli::Program::Outcome outcome = program.parse(count, words);
  if (!outcome.complaint.empty()) {
    cli::complain_lines(outcome.complaint);
  }
  cli::print(outcome.output);
  if (outcome.refused) {
    exit_code = cli::kUnusable;
  }
  // A verdict that nobody was shown is not one; that something of ours or of a policy's failed is.
  if (!cli::flush_output() && exit_code != cli::kInternalError &&
      exit_code != cli::kPolicyProcessFailed) {
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
  cli::end_when_out_of_memory();
  try {
    return run(count, arguments);
  } catch (const aftershock::sim::engine::MissingModule& missing) {
    cli::complain(missing.what());
    return cli::kUnusable;
  } catch (const aftershock::sim::control::PolicyFailed& failed) {
    cli::complain_lines(failed.what());
    return cli::kPolicyProcessFailed;
  } catch (const std::exception& error) {
    cli::complain(fmt::format("internal error: {}", error.what()));
    return cli::kInternalError;
  }
}
