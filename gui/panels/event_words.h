#pragma once

#include <QString>
#include <cstdint>
#include <string_view>

#include "gui/theme/shown_text.h"
#include "gui/why/decision_titles.h"

namespace aftershock::gui {

/// A text of a recording with markup escaped, to be put into HTML.
QString shown_html(std::string_view text);

/// The name of a span, an instant, a fault or a decision: "attempt 3", "node_crash", "decision".
QString what_of(const Trace& trace, std::uint32_t lane, std::uint32_t span);
/// Its other facts: how long it lasts, a fault's id and target, a decision's rules.
QString detail_of(const Trace& trace, const DecisionTitles& titles, std::uint32_t lane,
                  std::uint32_t span);
/// "1,234,567".
QString count_words(std::int64_t count);
/// A share of 1 in percent: "97.2 %".
QString share_words(double share);
/// A time since the beginning of the run.
QString time_words(std::int64_t t_us);

}  // namespace aftershock::gui
