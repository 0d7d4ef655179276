#pragma once

#include "gui/export/choice.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// Writes the chosen spans, instants, faults and decisions in the order of time, a line each, with
/// the line of the recording that they come from. A span that was never ended has no end. False
/// where the sink refused.
bool write_csv(const Trace& trace, const DecisionTitles& titles, const Choice& choice,
               const ByteSink& sink);

}  // namespace aftershock::gui
