#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/interrupted.h"
#include "sim/cli/many/sweep_request.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/splitting_text.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::uint64_t kMostWorlds = 1'000'000;
/// Below this the interval is known to be too short at times (tests/validation).
constexpr std::uint64_t kLeastWorldsToTrust = 4000;

/// The options that --rare excludes, because they are about runs that are kept.
bool alone(const SweepArguments& arguments) {
  const std::pair<bool, const char*> others[] = {
      {!arguments.out.empty(), "--out"},     {!arguments.runs.empty(), "--runs"},
      {!arguments.vary.empty(), "--vary"},   {!arguments.until.empty(), "--until"},
      {!arguments.keep.empty(), "--keep"},   {!arguments.metrics.empty(), "--metric"},
      {!arguments.shard.empty(), "--shard"}, {arguments.resume, "--resume"},
      {!arguments.where.empty(), "--where"},
  };
  for (const auto& [given, name] : others) {
    if (given) {
      complain(fmt::format("--rare: keeps no runs, and does not go with {}", name));
      return false;
    }
  }
  return true;
}

}  // namespace

int run_rare(const SweepArguments& arguments) {
  const auto options = read_options(arguments.scenario);
  if (!options || !alone(arguments) || !needs_no_table(arguments.scenario.format, "--rare")) {
    return kUnusable;
  }
  sweep::SplittingOptions splitting;
  const auto count = [](const char* name, const std::string& text, std::uint32_t usual) {
    return text.empty() ? std::optional<std::uint64_t>(usual)
                        : whole_number(name, text, 2, kMostWorlds);
  };
  const auto effort = count("--effort", arguments.effort, splitting.effort);
  const auto repetitions = count("--repetitions", arguments.repetitions, splitting.repetitions);
  const auto threads = arguments.jobs.empty()
                           ? std::optional<std::uint64_t>(processors())
                           : whole_number("--jobs", arguments.jobs, 1, kMostWorkers);
  if (!effort || !repetitions || !threads) {
    return kUnusable;
  }
  auto read = scenario::read_scenario_file(arguments.path, *options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return kUnusable;
  }
  auto& [scenario, warnings, check] = std::get<scenario::ReadScenario>(read);
  for (const std::string& warning : warnings) {
    complain("warning: " + warning);
  }
  if (*effort * *repetitions < kLeastWorldsToTrust) {
    complain(
        fmt::format("warning: {} worlds are few: what is very rare may come out too low, with "
                    "too short an interval; expected {} or more",
                    *effort * *repetitions, kLeastWorldsToTrust));
  }
  if (scenario.policies && !arguments.jobs.empty() && *threads > 1) {
    complain("warning: --jobs: an external policy is asked by one thread");
  }
  splitting.job = arguments.rare_job;
  splitting.effort = static_cast<std::uint32_t>(*effort);
  splitting.repetitions = static_cast<std::uint32_t>(*repetitions);
  splitting.threads = static_cast<unsigned>(*threads);
  const bool shows = !arguments.scenario.quiet && on_clever_terminal(STDERR_FILENO);
  splitting.go_on = [shows](double done) {
    if (shows) {
      std::cerr << fmt::format("\r{:.0f} %", 100 * done) << std::flush;
    }
    return true;
  };
  const auto estimate = [&] {
    const TellsInterrupt telling(Unkept::kEstimate);
    return sweep::estimate_exhaustion(
        std::make_shared<const scenario::Scenario>(std::move(scenario)), splitting);
  }();
  if (shows) {
    std::cerr << "\r\x1b[K";
  }
  if (const auto* problem = std::get_if<std::string>(&estimate)) {
    complain(fmt::format("{}: {}", scenario::file_title(arguments.path), *problem));
    return kUnusable;
  }
  const auto& found = std::get<sweep::SplittingEstimate>(estimate);
  if (arguments.scenario.format.is_json()) {
    print_json(sweep::splitting_json(found));
  } else if (!arguments.scenario.quiet) {
    print(sweep::splitting_text(found, output_style()));
  }
  return kOk;
}

}  // namespace aftershock::sim::cli
