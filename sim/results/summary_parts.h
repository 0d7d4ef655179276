#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/ledger/summary.h"
#include "sim/results/useful_work.h"
#include "sim/world/world.h"

// Parts that the summaries of jobs and of experiments share.
namespace aftershock::sim::results {

/// The names of the faults of a run in reports. Where nobody wants words there are none, and
/// recoveries and charges have their numbers alone.
struct FaultTexts {
  bool wanted = false;
  std::vector<std::string> ids;
  std::vector<std::string> words;
};

/// The same for all faults of this run, by their numbers.
FaultTexts texts_of(const world::World& world);

/// The word of an outcome: running, completed, failed, aborted.
std::string_view outcome_word(workload::Outcome outcome);

/// How the policy's budgets stand, each with its moves among `charges`.
std::vector<std::pair<std::string, reports::BudgetSummary>> budgets_of(
    const control::PolicyHost& host, const std::vector<workload::ChargeRecord>& charges,
    const FaultTexts& texts);

/// How an experiment ended.
reports::ExperimentSummary experiment_summary(const world::World& world,
                                              const workload::Experiment& experiment,
                                              const FaultFreeRun& fault_free,
                                              const FaultTexts& texts);

}  // namespace aftershock::sim::results
