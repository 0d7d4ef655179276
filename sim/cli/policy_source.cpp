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

#include "policies/registry.h"
#include "sim/cli/command.h"
#include "sim/cli/host_places.h"
#include "sim/control/external/external_source.h"
#include "sim/control/external/library_channel.h"
#include "sim/control/external/process_channel.h"
#include "sim/control/external/shell_words.h"
#include "sim/hosts/hosts.h"
#include "sim/scenario/read/policy_request.h"
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
                      scenario::in_quotes(variable)));
      return false;
    }
    if (!named.insert(name).second) {
      complain(fmt::format("--policy-env {}: the variable {} is there twice",
                           scenario::in_quotes(variable), name));
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
  const auto parsed = scenario::parse_duration(
      options.policy_deadline.empty() ? otherwise : options.policy_deadline);
  const auto* us = std::get_if<std::int64_t>(&parsed);
  if (us == nullptr || *us < kMillisecond || *us / kMillisecond > kMost) {
    complain(fmt::format("--policy-deadline {}: expected a length of time from 1ms to 1d",
                         scenario::in_quotes(options.policy_deadline)));
    return std::nullopt;
  }
  return *us / kMillisecond;
}

bool add_library(const ScenarioOptions& options, scenario::ReadOptions& read) {
  if (!options.policy_cmd.empty() || !options.policy_deadline.empty() ||
      !options.policy_env.empty() || !options.python.empty() || names_installed(options.policy)) {
    complain(
        "--policy-lib: stands alone, without --policy-cmd, --policy-deadline, --policy-env, "
        "--python and --policy NAME@installed");
    return false;
  }
  auto loaded = control::load_policy_library(options.policy_lib);
  if (const auto* problem = std::get_if<std::string>(&loaded)) {
    complain(fmt::format("--policy-lib {}", *problem));
    return false;
  }
  auto library = std::get<0>(std::move(loaded));
  read.policies = std::make_shared<control::ExternalSource>(
      control::ExternalOptions{.title = printable(options.policy_lib),
                               .open = [library] { return control::open_library(library); },
                               .direct = control::direct_way(library)});
  return true;
}

/// The option that serves installed code alone, where none of its policies is named; empty: there
/// is none.
std::string_view option_of_hosts(const ScenarioOptions& options) {
  if (options.names_installed || names_installed(options.policy) || !options.policy_cmd.empty()) {
    return {};
  }
  return !options.python.empty()            ? "--python"
         : !options.policy_deadline.empty() ? "--policy-deadline, without --policy-cmd"
         : !options.policy_env.empty()      ? "--policy-env, without --policy-cmd"
                                            : std::string_view();
}

bool add_program(const ScenarioOptions& options, std::vector<std::string> environment,
                 std::int64_t deadline_ms, scenario::ReadOptions& read) {
  if (names_installed(options.policy)) {
    complain(fmt::format("--policy {}: stands alone, without --policy-cmd", options.policy));
    return false;
  }
  if (!options.python.empty() && !options.names_installed) {
    complain("--python: goes with installed code, and not with --policy-cmd");
    return false;
  }
  auto words = control::split_words(options.policy_cmd);
  if (const auto* problem = std::get_if<std::string>(&words)) {
    complain(fmt::format("--policy-cmd {}: {}", scenario::in_quotes(options.policy_cmd), *problem));
    return false;
  }
  control::ProcessOptions process{std::get<0>(std::move(words)), std::move(environment),
                                  deadline_ms};
  read.policies = std::make_shared<control::ExternalSource>(
      control::ExternalOptions{.title = printable(options.policy_cmd),
                               .open = [process] { return control::open_process(process); },
                               .deadline_ms = deadline_ms});
  return true;
}

}  // namespace

HostPolicies::HostPolicies(HostOptions options) : options_(std::move(options)) {}

std::variant<std::shared_ptr<policies::PolicySource>, std::string> HostPolicies::find(
    std::string_view family) {
  if (const auto known = sources_.find(family); known != sources_.end()) {
    return known->second;
  }
  const hosts::Family* host = hosts::find_host(family);
  if (host == nullptr) {
    return no_host(family);
  }
  if (host->language == hosts::Language::kGo && !options_.python.empty()) {
    return fmt::format("{}@{} is a program of Go, without Python; expected no --python", family,
                       policies::kInstalledProfile);
  }
  auto found = hosts::find(*host, host_places(options_.python));
  if (auto* why = std::get_if<std::string>(&found)) {
    return std::move(*why);
  }
  const control::ProcessOptions process{std::get<hosts::Found>(std::move(found)).command,
                                        options_.environment, options_.deadline_ms};
  auto source = std::make_shared<control::ExternalSource>(control::ExternalOptions{
      .title = fmt::format("{}@{}", host->name, policies::kInstalledProfile),
      .open = [process] { return control::open_process(process); },
      .deadline_ms = options_.deadline_ms});
  if (made) {
    made(source);
  }
  sources_.emplace(family, source);
  return source;
}

bool names_installed(std::string_view policy) {
  const auto named = scenario::policy_named(policy);
  const auto* spec = std::get_if<scenario::PolicySpec>(&named);
  return spec != nullptr && spec->profile == policies::kInstalledProfile;
}

bool add_policy_source(const ScenarioOptions& options, scenario::ReadOptions& read) {
  if (!options.policy_lib.empty()) {
    return add_library(options, read);
  }
  const auto deadline_ms = deadline_of(options);
  std::vector<std::string> environment = scrubbed_environment();
  if (!deadline_ms || !add_variables(options.policy_env, environment)) {
    return false;
  }
  // Beside a program, where a command compares both.
  read.installed =
      std::make_shared<HostPolicies>(HostOptions{.python = options.python,
                                                 .environment = environment,
                                                 .deadline_ms = *deadline_ms,
                                                 .option = std::string(option_of_hosts(options))});
  return options.policy_cmd.empty() ||
         add_program(options, std::move(environment), *deadline_ms, read);
}

}  // namespace aftershock::sim::cli
