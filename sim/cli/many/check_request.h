#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/baseline/baseline.h"
#include "sim/check/check_plan.h"
#include "sim/check/fresh.h"
#include "sim/cli/scenario_options.h"

namespace aftershock::sim::cli {

/// The arguments of `check`, as they were given.
struct CheckArguments {
  std::vector<std::string> paths;
  std::vector<std::string> tags;
  ScenarioOptions scenario;
  std::string jobs;
  std::string baseline;
  bool update = false;
  bool strict = false;
  std::string fresh;
  std::string fresh_runs;
  std::string against;
  std::string timeout;
  std::string junit;
  std::string markdown;
  bool github = false;
};

/// The same, understood.
struct CheckRequest {
  check::CheckSelection selection;
  std::vector<std::filesystem::path> recordings;  ///< of PATHS, not in `selection`
  std::uint32_t workers = 1;
  std::optional<reports::Baseline> baseline;
  std::optional<check::FreshOptions> fresh;
  std::string overrides;
};

/// None, with a word on standard error, where they cannot be used.
std::optional<CheckRequest> understood(const CheckArguments& arguments);

}  // namespace aftershock::sim::cli
