#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/scenario/check_spec.h"
#include "sim/scenario/read/policy_file.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {

class InstalledPolicies;

/// The changes of the command line to a scenario. It is applied in this order, so that a `--set`
/// can still reach into the policy.
struct ReadOptions {
  /// Replaces the policy of every job. Without a configuration it takes over that of a job whose
  /// policy has the same name, or else has its preset.
  std::optional<PolicySpec> policy;
  std::string policy_from = "--policy";  ///< how errors call the argument that it came from
  /// The file that its configuration is from, so that errors tell the place.
  std::optional<PolicyFile> policy_file{};
  std::vector<std::string> sets;  ///< "/json/pointer=value"
  std::optional<std::uint64_t> seed;
  std::shared_ptr<policies::PolicySource> policies{};  ///< see Scenario
  /// Makes those of the profile "installed", unless `policies` makes all; none: they are refused.
  std::shared_ptr<InstalledPolicies> installed{};
  bool may_extend = true;  ///< false: the text comes from elsewhere, and no file is read for it
};

/// A scenario without errors.
struct ReadScenario {
  Scenario scenario;
  std::vector<std::string> warnings;  ///< whole lines
  CheckSpec check;
};

/// The scenario, or all that is wrong with it (never empty then).
using ReadResult = std::variant<ReadScenario, std::vector<ScenarioError>>;

/// How a file is called in messages: its path, and "standard input" for "-", which stands for it.
std::string file_title(const std::filesystem::path& path);

/// Reads and checks a scenario file and those that it extends. All errors are told, up to twenty;
/// what needs the whole file to judge is looked at once every key has the right form. "-" is
/// standard input, which may be read again; paths in it are relative to the working directory.
ReadResult read_scenario_file(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for a text; `name` is how errors call it, and its folder the one that `extends` is
/// relative to.
ReadResult read_scenario_text(std::string_view text, const std::string& name,
                              const ReadOptions& options = {});

}  // namespace aftershock::sim::scenario
