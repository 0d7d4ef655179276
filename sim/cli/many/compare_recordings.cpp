#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/compare/agreement.h"
#include "reports/compare/recordings.h"
#include "sim/cli/command.h"
#include "sim/cli/many/compare_request.h"

namespace aftershock::sim::cli {
namespace {

/// Options that say how runs are made: recordings are made already.
std::string option_for_scenarios(const CompareArguments& arguments) {
  const std::pair<const char*, bool> given[] = {{"--policy", !arguments.policies.empty()},
                                                {"--vary", !arguments.sweep.vary.empty()},
                                                {"--where", !arguments.sweep.where.empty()},
                                                {"--against", !arguments.against.empty()},
                                                {"--runs", !arguments.sweep.runs.empty()},
                                                {"--goal", !arguments.goal.empty()},
                                                {"--metric", !arguments.sweep.metrics.empty()},
                                                {"--pair", !arguments.pair.empty()},
                                                {"--out", !arguments.sweep.out.empty()},
                                                {"--seed", !arguments.sweep.scenario.seed.empty()},
                                                {"--set", !arguments.sweep.scenario.sets.empty()},
                                                {"--jobs", !arguments.sweep.jobs.empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) {
      return name;
    }
  }
  return {};
}

/// A warning of what makes two such runs no pair: other scenarios, or a live run that means
/// nothing. The first is false where the second is so.
bool means_something(const reports::RecordedRun& simulated, const reports::RecordedRun& live) {
  constexpr std::size_t kTold = 4;
  const auto others = reports::other_settings(simulated, live);
  std::vector<std::string> places;
  for (const reports::OtherSetting& each : others) {
    // A profile is the version of the controller: the live run has the installed one.
    if (each.pointer != "/jobs/0/policy/profile" && places.size() < kTold) {
      places.push_back(printable(each.pointer));
    }
  }
  if (!places.empty()) {
    complain(fmt::format("warning: the scenarios differ in {}{}", fmt::join(places, ", "),
                         others.size() > kTold ? ", and in more" : ""));
  }
  const auto summary = policies::json_or_discarded<nlohmann::ordered_json>(live.summary);
  const bool invalid = summary.is_object() && summary.value("verdict", "") == "invalid";
  if (invalid) {
    complain(fmt::format("warning: {}: the live run is invalid: {}", printable(live.path),
                         printable(summary.value("verdict_reason", ""))));
  }
  return !invalid;
}

/// A simulated run beside a live one: it is red where they decide or charge otherwise.
int compare_with_live(const CompareArguments& arguments, const reports::RecordedRun& simulated,
                      const reports::RecordedRun& live, bool cut) {
  if (arguments.sweep.scenario.format.is_json()) {
    print_json(reports::agreement_json(simulated, live));
  } else if (!arguments.sweep.scenario.quiet) {
    print(reports::agreement_text(simulated, live, output_style()));
  }
  if (!means_something(simulated, live) || cut) {
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  return reports::agreement(simulated, live).first_difference() == nullptr
             ? kOk
             : reports::exit_code(reports::Verdict::kWorse);
}

}  // namespace

int compare_recordings(const CompareArguments& arguments) {
  if (const std::string option = option_for_scenarios(arguments); !option.empty()) {
    complain(fmt::format("{}: goes with a scenario, and two recordings are compared as they are",
                         option));
    return kUnusable;
  }
  if (!needs_no_table(arguments.sweep.scenario.format, "a comparison of two recordings")) {
    return kUnusable;
  }
  std::vector<reports::RecordedRun> runs;
  bool cut = false;
  for (const std::string& path : arguments.paths) {
    auto read = reports::read_run(path);
    if (const auto* problem = std::get_if<std::string>(&read)) {
      complain(*problem);
      return kUnusable;
    }
    runs.push_back(std::get<0>(std::move(read)));
    const reports::RecordedRun& run = runs.back();
    const std::string& unfinished = run.decisions.unfinished;
    if (!unfinished.empty() && run.last_us == 0 && run.decisions.steps.empty()) {
      complain(fmt::format("{}, so that there is nothing of a run to compare", unfinished));
      return kUnusable;
    }
    if (!unfinished.empty()) {
      complain("warning: " + unfinished);
      cut = true;
    }
  }
  const std::size_t live = runs[0].backend.empty() ? 1 : 0;
  if (runs[0].backend.empty() != runs[1].backend.empty()) {
    return compare_with_live(arguments, runs[1 - live], runs[live], cut);
  }
  if (arguments.sweep.scenario.format.is_json()) {
    print_json(reports::recordings_json(runs[0], runs[1]));
  } else if (!arguments.sweep.scenario.quiet) {
    print(reports::recordings_text(runs[0], runs[1], output_style()));
  }
  // The runs may differ behind the cut, or not.
  return cut ? reports::exit_code(reports::Verdict::kInconclusive) : kOk;
}

}  // namespace aftershock::sim::cli
