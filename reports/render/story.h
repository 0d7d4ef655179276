#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/ledger/summary.h"
#include "reports/render/style.h"

// Lines that the summary after a run and `why` from a file share word by word.
namespace aftershock::reports {

/// Retry budgets by name, in the policy's order.
using Budgets = std::vector<std::pair<std::string, BudgetSummary>>;

/// "llm FAILED: exhausted(max_failures) after 3d 04:12:07", coloured.
std::string outcome_line(const JobSummary& job, const Style& style);

/// The same of an experiment.
std::string outcome_line(const ExperimentSummary& experiment, const Style& style);

/// Either with a line break; where it is too wide, the useful work is on a line of its own.
std::string outcome_text(const JobSummary& job, const Style& style);
std::string outcome_text(const ExperimentSummary& experiment, const Style& style);

/// The lines of a reason, which may have what a policy wrote before it failed. A line behind the
/// first that a CI's log would take for a command (`::error`, `##[group]`) is marked as a quote.
std::vector<std::string> reason_lines(std::string_view reason);

/// "verdict stuck (exit code 3): ...", coloured, for a run that did not pass; `verdict` may be a
/// word that this program does not know.
std::string verdict_line(std::string_view verdict, std::string_view reason, const Style& style);

/// False for a job whose time came after the end.
bool was_submitted(const JobSummary& job);

/// Jobs in the order of telling: what failed comes first.
std::vector<const JobSummary*> by_outcome(const std::vector<JobSummary>& jobs);

/// The budget that a job died of; null if it died of none. Its reason names it, else the budget
/// that says so itself.
const std::pair<std::string, BudgetSummary>* fatal_budget(std::string_view reason,
                                                          const Budgets& budgets);

/// "2 of 3 used", "4 of 3 used, exhausted", "2 used, unlimited".
std::string budget_use(const BudgetSummary& budget);

/// Which causes it was charged for and which were exempt, by which rule, with how often: "2 node, 1
/// application; exempt: 4 preemption (preemption.retry)". Empty without charges.
std::string charge_causes(const BudgetSummary& budget, const Style& style);

/// Every charge, a line each: time, fault, what, cause, decision, used/limit, and why one was not
/// counted. The one that went over the limit is marked. Of a long list of a budget without a limit
/// only the beginning and the end. `of_trials`: of many trials, each with the budget to itself, so
/// that none of them ends all, and a long list is cut short whatever the limit.
std::string charge_lines(const BudgetSummary& budget, const Style& style, std::size_t indent,
                         bool of_trials = false);

/// Lines about hangs that were suspected while nothing hung; nothing where none were.
std::string false_alarm_lines(const JobSummary& job, const Style& style);

/// The line about a job without recoveries.
std::string_view nothing_recovered(const JobSummary& job);

/// "why it died" of a job that did not complete, as far as budgets tell; else nothing.
std::string death_lines(const JobSummary& job, const Style& style);

}  // namespace aftershock::reports
