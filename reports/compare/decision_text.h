#pragma once

#include <string>
#include <string_view>

#include "reports/compare/divergence.h"
#include "reports/render/style.h"

// Decisions and where they part, in words for a terminal: whatever a recording holds is made fit
// to be shown.
namespace aftershock::reports {

/// "max_failures 2 to 3 of 3 (preemption), exhausted", "max_failures 2 of 3, preemption is exempt".
std::string budget_text(const BudgetMove& move, bool unicode);

/// The rule and what it did to budgets: "ray_train.failure.retry, max_failures 2 to 3 of 3 (node)".
std::string step_text(const DecisionStep& step, bool unicode);

/// "RUNNING to STARTING", "stays RUNNING".
std::string states_text(const DecisionStep& step, bool unicode);

/// The subject of the decision: "fault f12 of job:llm", "a hang that was none, of job:llm",
/// "job:llm".
std::string about(const Divergence& divergence, bool unicode);

/// On one line: "at 3d 04:10:05, fault f12 of job:llm: STEP | STEP", A's before B's. A step that
/// was at another time than A's says so, and so does one with other commands or states.
std::string divergence_line(const Divergence& divergence, bool unicode);

/// On several lines, each behind two blanks: when, what both saw or each, and the rule, states,
/// budgets, commands and rejected alternatives of each. The names are those of the runs.
std::string divergence_text(const Divergence& divergence, std::string_view name_a,
                            std::string_view name_b, const Style& style);

}  // namespace aftershock::reports
