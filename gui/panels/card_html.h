#pragma once

#include <QString>
#include <vector>

#include "gui/why/cause_and_effect.h"
#include "gui/why/decision_card.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

// Cards as HTML. Every text of a recording is escaped. Links are "fault:N", "decision:N" and
// "span:LANE:SPAN", by the trace's indices, "lane:NAME" and "rule:ID".

/// A decision: what it answers and saw, its rules, budgets, commands and what came of them, and the
/// Bills of what it answers.
QString decision_html(const Trace& trace, const DecisionCard& card,
                      const std::vector<EntityFaultCost>& fault_costs);
/// A fault: what it struck, when it was noticed, what was decided and what it cost.
QString fault_html(const Trace& trace, const FaultCard& card, const DecisionTitles& titles);
/// A span or another instant, with what its record says of it in words.
QString span_html(const Trace& trace, std::uint32_t lane, std::uint32_t span,
                  const std::string& record);

}  // namespace aftershock::gui
