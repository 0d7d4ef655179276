#pragma once

#include <string>

#include "reports/ledger/summary.h"
#include "reports/render/style.h"

namespace aftershock::reports {

/// The outcome of an experiment, in a block as long as it is varied, not as it has trials: how many
/// ended how, where their time went, what was lost, the few that lost most, and the budgets.
/// Nothing for one whose time came after the end.
std::string experiment_text(const ExperimentSummary& experiment, const Style& style);

/// "trials 8, TERMINATED 7, ERROR 1".
std::string trial_counts(const ExperimentSummary& experiment, const Style& style);

/// The findings of new controllers, and the losses that came with what they did not find.
std::string restore_lines(const ExperimentSummary& experiment, const Style& style);

/// The few trials that failed or lost something, a line each; empty where there are none.
std::string trial_lines(const ExperimentSummary& experiment, const Style& style);

}  // namespace aftershock::reports
