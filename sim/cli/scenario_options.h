#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/arguments/arguments.h"
#include "sim/scenario/read.h"

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
  bool json = false;
  bool quiet = false;
};

/// Declares those that say who decides, where that is somebody from elsewhere.
void add_source_options(Command command, ScenarioOptions& options);
/// Declares all on `command`; `options` must live until the command line is parsed.
void add_scenario_options(Command command, ScenarioOptions& options);
/// The same for a command that has a --policy of its own.
void add_options_but_policy(Command command, ScenarioOptions& options);

/// Those that make runs other ones, the seed apart, as a shell takes them, each behind a blank: for
/// commands that are shown.
std::string overrides_of(const ScenarioOptions& options);

/// Those that say whose decisions are asked for, where that is somebody from elsewhere, word by
/// word: for another build of this program.
std::vector<std::string> source_words(const ScenarioOptions& options);

/// What the options change in a scenario; none, with a word on standard error, when they are wrong.
std::optional<ReadOptions> read_options(const ScenarioOptions& options);

}  // namespace aftershock::sim::cli
