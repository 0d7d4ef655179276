#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/check/report.h"

// The words for a run that stops somebody. It is read at night, by somebody who sees nothing else.
namespace aftershock::reports {

/// A value of a metric with its unit: "97.20 %", "00:53:29", "4", "yes", "none".
std::string metric_text(std::string_view metric, const MetricValue& value);
/// How far apart two are: "-35.91 points", "+00:12:00", "+1"; empty where they have no difference
/// in amount.
std::string difference_text(std::string_view metric, double difference);

/// "scenarios/quickstart.json, ray_train, seed 1", and which policy it was where that has changed
std::string title_of(const CheckedRun& run);
/// Why a run is not as it was, in one line: which metric moved from what to what, and which
/// decision. Empty where there is nothing to say.
std::string reason_of(const CheckedRun& run);
/// "(not kept: past what a baseline has in words)", or the decision.
std::string told_text(const ToldDecision& told);
/// "failed", "internal error"
std::string verdict_words(Verdict verdict);
/// "worse", "failed", or "worse, failed": how it stands, and its verdict where that is not passed.
std::string state_of(const CheckedRun& run);

/// Everything about a red run, a line each, without an end of line: what became of verdict, outcome
/// and metrics, the first decision that differs, and the commands to look at it.
std::vector<std::string> details_of(const CheckedRun& run, const CheckReport& report);

/// The command `run`, with which that run of a scenario is made, writing a recording, and the one
/// that shows it.
std::vector<std::string> recording_commands(const std::string& run, const std::string& name,
                                            std::uint64_t seed);

/// The same of fresh runs.
std::string title_of(const FreshRuns& runs);
std::vector<std::string> details_of(const FreshRuns& runs, const CheckReport& report);

/// The same of a condition on many runs.
std::string title_of(const JointCondition& condition);
std::vector<std::string> details_of(const JointCondition& condition, const CheckReport& report);

/// "12 runs of 3 scenarios: 10 same, 1 better, 1 worse"
std::string summary_of(const CheckReport& report);
/// "8 seeds: the scenario is random and says nothing of check.seeds", or which one that is, or how
/// many; empty where all say it.
std::string seeds_of(const CheckReport& report);
/// "worse than the baseline (exit code 7)", or "passed".
std::string verdict_text(const CheckReport& report);

}  // namespace aftershock::reports
