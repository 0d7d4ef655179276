#include "sim/cli/policy_source.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/host_places.h"
#include "sim/control/external/external_source.h"
#include "sim/control/external/library_channel.h"
#include "sim/control/external/process_channel.h"
#include "sim/control/external/shell_words.h"
#include "sim/hosts/hosts.h"
#include "sim/scenario/text/error.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::cli {
namespace {

/// The environment of a policy's process: the part of this one's that it may see, and settings that
/// make its results the same on every machine.
std::vector<std::string> scrubbed_environment() {
  std::vector<std::string> environment{"LC_ALL=C.UTF-8", "PYTHONHASHSEED=0", "TZ=UTC"};
  for (const char* name : {"HOME", "LD_LIBRARY_PATH", "PATH"}) {
    if (const char* value = std::getenv(name); value != nullptr) {
      environment.push_back(fmt::format("{}={}", name, value));
    }
  }
  return environment;
}

/// Puts the variables of --policy-env into it, in the place of those of its own that have such a
/// name. False, with a word on standard error, where one of them is wrong.
bool add_variables(const std::vector<std::string>& variables,
                   std::vector<std::string>& environment) {
  const auto name_of = [](std::string_view variable) {
    return variable.substr(0, variable.find('='));
  };
  std::set<std::string_view> named;
  for (const std::string& variable : variables) {
    const std::string_view name = name_of(variable);
    const auto letter = [](char one) {
      return (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z') || one == '_';
    };
    const bool good =
        !name.empty() && letter(name.front()) && std::ranges::all_of(name, [&](char one) {
          return letter(one) || (one >= '0' && one <= '9');
        });
    if (!good || name.size() == variable.size()) {
      complain(
          fmt::format("--policy-env {}: expected NAME=VALUE, with a name of letters, digits "
                      "and \"_\" that begins with none of the digits",
                      in_quotes(variable)));
      return false;
    }
    if (!named.insert(name).second) {
      complain(fmt::format("--policy-env {}: the variable {} is there twice", in_quotes(variable),
                           name));
      return false;
    }
    std::erase_if(environment, [&](const std::string& own) { return name_of(own) == name; });
    environment.push_back(variable);
  }
  return true;
}

/// Milliseconds; none, with a word on standard error. A host imports the packages that it hosts
/// before its first answer.
std::optional<std::int64_t> deadline_of(const ScenarioOptions& options) {
  constexpr std::int64_t kMillisecond = 1000;
  constexpr std::int64_t kMost = 86'400'000;
  const std::string otherwise = options.policy_cmd.empty() ? "1min" : "10s";
  const auto parsed =
      parse_duration(options.policy_deadline.empty() ? otherwise : options.policy_deadline);
  const auto* us = std::get_if<std::int64_t>(&parsed);
  if (us == nullptr || *us < kMillisecond || *us / kMillisecond > kMost) {
    complain(fmt::format("--policy-deadline {}: expected a length of time from 1ms to 1d",
                         in_quotes(options.policy_deadline)));
    return std::nullopt;
  }
  return *us / kMillisecond;
}

bool add_library(const ScenarioOptions& options, ReadOptions& read) {
  if (!options.policy_cmd.empty() || !options.policy_deadline.empty() ||
      !options.policy_env.empty()) {
    complain(
        "--policy-lib: stands alone, without --policy-cmd, --policy-deadline and --policy-env");
    return false;
  }
  auto loaded = load_policy_library(options.policy_lib);
  if (const auto* problem = std::get_if<std::string>(&loaded)) {
    complain(fmt::format("--policy-lib {}", *problem));
    return false;
  }
  auto library = std::get<0>(std::move(loaded));
  read.policies = std::make_shared<ExternalSource>(
      ExternalOptions{.title = printable(options.policy_lib),
                      .open = [library] { return open_library(library); },
                      .direct = direct_way(library)});
  return true;
}

/// The name before @installed; empty for all other policies.
std::string_view installed_name(std::string_view policy) {
  constexpr std::string_view kInstalled = "@installed";
  return policy.ends_with(kInstalled) ? policy.substr(0, policy.size() - kInstalled.size())
                                      : std::string_view();
}

/// The words that start the host; none, with a word on standard error.
std::optional<std::vector<std::string>> host_command(const ScenarioOptions& options) {
  const std::string_view name = installed_name(options.policy);
  if (!options.policy_cmd.empty()) {
    complain(fmt::format("--policy {}: stands alone, without --policy-cmd", options.policy));
    return std::nullopt;
  }
  const hosts::Family* host = hosts::find_host(name);
  if (host == nullptr) {
    complain(fmt::format("--policy {}: {} has no host; `aftershock hosts list` says which have one",
                         in_quotes(options.policy), in_quotes(name)));
    return std::nullopt;
  }
  if (host->language == hosts::Language::kGo && !options.python.empty()) {
    complain(fmt::format("--python: {}@installed is a program of Go, without Python", name));
    return std::nullopt;
  }
  auto found = hosts::find(*host, host_places(options.python));
  if (const auto* why = std::get_if<std::string>(&found)) {
    complain(fmt::format("--policy {}: {}", options.policy, *why));
    return std::nullopt;
  }
  return std::get<hosts::Found>(std::move(found)).command;
}

/// The words of the program that decides, empty where none does; none, with a word on standard
/// error.
std::optional<std::vector<std::string>> program_words(const ScenarioOptions& options) {
  if (!installed_name(options.policy).empty()) {
    return host_command(options);
  }
  if (!options.python.empty()) {
    complain("--python: goes with --policy NAME@installed");
    return std::nullopt;
  }
  if (options.policy_cmd.empty()) {
    return std::vector<std::string>();
  }
  auto words = split_words(options.policy_cmd);
  if (const auto* problem = std::get_if<std::string>(&words)) {
    complain(fmt::format("--policy-cmd {}: {}", in_quotes(options.policy_cmd), *problem));
    return std::nullopt;
  }
  return std::get<0>(std::move(words));
}

}  // namespace

bool add_policy_source(const ScenarioOptions& options, ReadOptions& read) {
  if (!options.policy_lib.empty()) {
    return add_library(options, read);
  }
  auto words = program_words(options);
  if (!words) {
    return false;
  }
  if (words->empty()) {
    if (!options.policy_deadline.empty()) {
      complain("--policy-deadline: goes with --policy-cmd");
      return false;
    }
    if (!options.policy_env.empty()) {
      complain("--policy-env: goes with --policy-cmd");
      return false;
    }
    return true;
  }
  const auto deadline_ms = deadline_of(options);
  if (!deadline_ms) {
    return false;
  }
  const std::string title = options.policy_cmd.empty() ? options.policy : options.policy_cmd;
  std::vector<std::string> environment = scrubbed_environment();
  if (!add_variables(options.policy_env, environment)) {
    return false;
  }
  ProcessOptions process{std::move(*words), std::move(environment), *deadline_ms};
  read.policies = std::make_shared<ExternalSource>(
      ExternalOptions{.title = printable(title),
                      .open = [process] { return open_process(process); },
                      .deadline_ms = *deadline_ms});
  return true;
}

}  // namespace aftershock::sim::cli
