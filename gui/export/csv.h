#pragma once

#include <string>
#include <string_view>

#include "gui/export/choice.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// A text as a cell of a table: in quotes where it has a comma, a quote or a line break (RFC 4180).
/// One that a spreadsheet would reckon as a formula (it begins with = + - @, a tab or a carriage
/// return) gets an apostrophe in front, which spreadsheets take for "this is text".
std::string csv_cell(std::string_view text);

/// Writes the chosen spans, instants, faults and decisions in the order of time, a line each, with
/// the line of the recording that they come from. A span that was never ended has no end. False
/// where the sink refused.
bool write_csv(const Trace& trace, const DecisionTitles& titles, const Choice& choice,
               const ByteSink& sink);

}  // namespace aftershock::gui
