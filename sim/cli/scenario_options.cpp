#include "sim/cli/scenario_options.h"

#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/cli/policy_source.h"
#include "sim/scenario/read/policy_request.h"

namespace aftershock::sim::cli {

namespace {

void add_python(Command command, ScenarioOptions& options) {
  command.add_option("--python", options.python,
                     "the Python whose packages installed code is taken from (default: that of an "
                     "activated venv, else the host's own)");
}

void add_run_options(Command command, ScenarioOptions& options) {
  command.add_option("--seed", options.seed, "random seed, instead of the scenario's");
  command
      .add_option("--set", options.sets,
                  "change a value before it is checked: /json/pointer=value (may be repeated)")
      .one_value_each();
}

void add_policy(Command command, ScenarioOptions& options) {
  command.add_option("--policy", options.policy,
                     "NAME[@PROFILE][:PRESET]: replaces the policy of every job; without a preset "
                     "it takes over the settings of a job that has the same policy, else those of "
                     "the first of `aftershock policies show NAME`");
  command.add_option(
      "--policy-config", options.policy_config,
      "JSON or YAML file with the configuration of --policy, also a manifest as kubectl prints it");
}

void add_quiet(Command command, ScenarioOptions& options) {
  command.add_flag("--quiet", options.quiet, "print nothing but errors");
}

}  // namespace

void add_source_options(Command command, ScenarioOptions& options) {
  command.add_option(
      "--policy-cmd", options.policy_cmd,
      "a program that decides in place of the policies named, over its standard input "
      "and output; quoted as for a shell, but none takes part");
  command.add_option("--policy-lib", options.policy_lib,
                     "a shared object that decides in place of the policies named");
  command.add_option(
      "--policy-deadline", options.policy_deadline,
      "host time that an answer of --policy-cmd may take (default 10s), or of a host (1min)");
  add_python(command, options);
  command
      .add_option("--policy-env", options.policy_env,
                  "NAME=VALUE: a variable of the environment of --policy-cmd (may be repeated)")
      .one_value_each();
}

void add_options_but_policy(Command command, ScenarioOptions& options, Prints prints) {
  add_run_options(command, options);
  add_source_options(command, options);
  if (prints == Prints::kTable) {
    add_format(command, options.format);
  } else {
    add_json(command, options.format);
  }
  add_quiet(command, options);
}

void add_scenario_options(Command command, ScenarioOptions& options, Prints prints) {
  add_options_but_policy(command, options, prints);
  add_policy(command, options);
}

void add_live_options(Command command, ScenarioOptions& options) {
  add_run_options(command, options);
  add_python(command, options);
  add_json(command, options.format);
  add_quiet(command, options);
  add_policy(command, options);
}

std::optional<scenario::ReadOptions> read_options(const ScenarioOptions& options) {
  scenario::ReadOptions read;
  if (!options.seed.empty()) {
    std::uint64_t seed = 0;
    const char* end = options.seed.data() + options.seed.size();
    const auto [stopped, problem] = std::from_chars(options.seed.data(), end, seed);
    if (problem != std::errc{} || stopped != end) {
      complain(fmt::format("--seed {}: expected a whole number from 0 to {}",
                           scenario::in_quotes(options.seed),
                           std::numeric_limits<std::uint64_t>::max()));
      return std::nullopt;
    }
    read.seed = seed;
  }
  read.sets = options.sets;
  if (!add_policy_source(options, read)) {
    return std::nullopt;
  }
  if (options.policy.empty()) {
    if (!options.policy_config.empty()) {
      complain("--policy-config: goes with --policy NAME[@PROFILE], whose configuration it is");
      return std::nullopt;
    }
    return read;
  }
  auto named = scenario::policy_named(options.policy);
  auto* policy = std::get_if<scenario::PolicySpec>(&named);
  if (policy == nullptr) {
    complain("--policy: " + std::get<std::string>(named));
    return std::nullopt;
  }
  if (!options.policy_config.empty()) {
    auto file = scenario::read_policy_file(options.policy_config, policy->name);
    if (const auto* error = std::get_if<scenario::ScenarioError>(&file)) {
      complain(scenario::format(*error));
      return std::nullopt;
    }
    read.policy_file = std::get<scenario::PolicyFile>(std::move(file));
    policy->config = read.policy_file->config;
    for (const std::string& ignored : read.policy_file->ignored) {
      complain("warning: " + ignored);
    }
  }
  read.policy = std::move(*policy);
  return read;
}

void print_unless_quiet(const ScenarioOptions& options, const Printed& printed) {
  if (!options.quiet || !options.format.is_table()) {
    print_as(options.format, printed);
  }
}

std::vector<std::string> source_words(const ScenarioOptions& options) {
  std::vector<std::string> words;
  for (const auto& [flag, value] : {std::pair("--policy-cmd", &options.policy_cmd),
                                    std::pair("--policy-lib", &options.policy_lib),
                                    std::pair("--policy-deadline", &options.policy_deadline),
                                    std::pair("--python", &options.python)}) {
    if (!value->empty()) {
      words.insert(words.end(), {flag, *value});
    }
  }
  for (const std::string& variable : options.policy_env) {
    words.insert(words.end(), {"--policy-env", variable});
  }
  return words;
}

std::string overrides_of(const ScenarioOptions& options) {
  std::string text;
  for (const std::string& set : options.sets) {
    text += " --set " + reports::shell_word(set);
  }
  if (!options.policy.empty()) {
    text += " --policy " + reports::shell_word(options.policy);
  }
  if (!options.policy_config.empty()) {
    text += " --policy-config " + reports::shell_word(options.policy_config);
  }
  for (const std::string& word : source_words(options)) {
    text += " " + reports::shell_word(word);
  }
  return text;
}

std::vector<std::string> run_words(const ScenarioOptions& options) {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      words.push_back(fmt::format("{}={}", name, value));
    }
  };
  add("--seed", options.seed);
  for (const std::string& set : options.sets) {
    add("--set", set);
  }
  add("--policy", options.policy);
  add("--policy-config", options.policy_config);
  return words;
}

}  // namespace aftershock::sim::cli
