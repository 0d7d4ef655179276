#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/arguments/arguments.h"
#include "sim/cli/output_format.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::cli {

/// The options that every command takes which runs scenarios.
struct ScenarioOptions {
  std::string seed;
  std::vector<std::string> sets;
  std::string policy;
  std::string policy_config;
  std::string policy_cmd;
  std::string policy_lib;
  std::string policy_deadline;
  std::string python;                   ///< its packages are those that NAME@installed hosts
  bool names_installed = false;         ///< a policy of the command, not of --policy, is such a one
  std::vector<std::string> policy_env;  ///< NAME=VALUE
  OutputFormat format;
  bool quiet = false;
};

/// Whether a command prints a table.
enum class Prints : std::uint8_t { kNoTable, kTable };

/// Declares those that say who decides, where that is an external policy.
void add_source_options(Command command, ScenarioOptions& options);
/// Declares all on `command`; `options` must live until the command line is parsed. `prints`: a
/// command that prints a table has --format, too.
void add_scenario_options(Command command, ScenarioOptions& options,
                          Prints prints = Prints::kNoTable);
/// The same for a command that has a --policy of its own.
void add_options_but_policy(Command command, ScenarioOptions& options, Prints prints);
/// The same for one in which the real controller decides, and no external policy.
void add_live_options(Command command, ScenarioOptions& options);

/// Those that make runs other ones, the seed apart, as a shell takes them, each behind a blank: for
/// commands that are shown.
std::string overrides_of(const ScenarioOptions& options);

/// The seed, changes and policy of a run, word by word: for the viewer, which has it run.
std::vector<std::string> run_words(const ScenarioOptions& options);

/// Whether NAME[@PROFILE][:PRESET] means installed code.
bool names_installed(std::string_view policy);

/// Those that say whose decisions are asked for, where that is an external policy, word by
/// word: for another build of this program.
std::vector<std::string> source_words(const ScenarioOptions& options);

/// Prints it as --format says; --quiet keeps a table back.
void print_unless_quiet(const ScenarioOptions& options, const Printed& printed);

/// The changes of the options to a scenario; none, with a word on standard error, when they are
/// wrong.
std::optional<scenario::ReadOptions> read_options(const ScenarioOptions& options);

}  // namespace aftershock::sim::cli
