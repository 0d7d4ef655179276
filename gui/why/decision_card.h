#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/trace/trace.h"
#include "reports/compare/decisions.h"
#include "reports/recording/header.h"

namespace aftershock::gui {

/// A command that a step ordered.
struct CommandTold : reports::OrderedCommand {
  std::string became;                 ///< the outcome that the controller heard; empty: nothing
  std::uint32_t answered_by = kNone;  ///< the decision that took that in
};

/// One rule that applied.
struct StepTold {
  std::string rule;
  std::string sentence;  ///< of the header's table; empty where the rule is not in it
  std::string source;
  std::string from;
  std::string to;
  std::string word;  ///< the vendor's for what was decided, where it has one
  std::vector<reports::BudgetMove> budgets;
  std::vector<CommandTold> commands;
  std::vector<reports::Rejected> rejected;
};

/// A decision with everything that its record says. All texts are as they are in the recording.
struct DecisionCard {
  std::uint32_t decision = kNone;  ///< among the trace's
  std::int64_t t_us = 0;
  std::uint32_t entity = kNone;
  std::string policy;
  std::int64_t batch = 0;
  std::uint32_t fault = kNone;  ///< that it answers, among the trace's
  std::string fault_id;         ///< also where there is no such fault
  bool false_alarm = false;
  std::vector<std::string> saw;  ///< in words
  std::vector<StepTold> steps;
  std::string record;   ///< the line of the recording
  std::string problem;  ///< why there is no more than the trace knows; else empty
};

/// The card of a decision; `path` is the recording's. Looks some lines ahead for what became of
/// the commands.
DecisionCard decision_card(const Trace& trace, const std::string& path, std::uint32_t decision);

/// The same from the record's text, without a look ahead.
DecisionCard card_from(const Trace& trace, std::uint32_t decision, std::string_view record);

/// The header's rule of that id, of the policy of this name if it has it; null if there is none.
const reports::HeaderRule* rule_named(const Trace& trace, std::string_view policy,
                                      std::string_view id);

/// The policy of a job or experiment; empty where the header does not say.
std::string policy_of(const Trace& trace, std::uint32_t entity);

}  // namespace aftershock::gui
