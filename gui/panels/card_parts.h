#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>

#include "gui/why/charges.h"
#include "gui/why/decision_card.h"

namespace aftershock::gui {

// The parts of cards, as HTML. Texts of a recording are escaped in it.

/// So many entries of a list are shown; the timeline shows them all.
inline constexpr std::size_t kCardListMax = 50;

/// A text of ours in the user's language.
QString card_words(const char* text);
QString card_heading(const QString& text);
/// Nothing where there are no items; `more` that are not shown are counted.
QString card_list(const QStringList& items, std::size_t more = 0);

/// A row of a table: what it is, in plain words, and its value as HTML.
QString card_row(const QString& name, const QString& value);
/// Nothing where there are no rows.
QString card_table(const QStringList& rows);

/// A row of cells for a `<table>`, the first to the left and the others to the right; as HTML.
QString card_cells(const QStringList& cells);
/// A table of times by kind in the order given, each with its share of their sum; nothing without
/// times.
QString card_times(const BucketTimes& us);

/// "fault:3" as a link with these words, which are escaped already.
QString link_html(const QString& target, const QString& words);
/// A link to a fault or decision of the trace, which has them.
QString fault_link(const Trace& trace, std::uint32_t fault);
QString decision_link(const Trace& trace, std::uint32_t decision);
/// A link to the lane of this name, as key_of reads it; plain text.
QString lane_link(const QString& name);

/// "1 -> 2 used, limit 3", and why; by which rule where `step` is given.
QString budget_html(const reports::BudgetMove& move, const StepTold* step);

}  // namespace aftershock::gui
