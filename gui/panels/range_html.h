#pragma once

#include <QString>
#include <cstdint>

#include "gui/why/decision_titles.h"
#include "gui/why/range_answer.h"

namespace aftershock::gui {

/// What happened within a range of time, as HTML (see card_html.h). `step_us` is what a pixel
/// shows: from when to when is told as exactly as that.
QString range_html(const Trace& trace, const RangeAnswer& answer, const DecisionTitles& titles,
                   std::int64_t step_us);

}  // namespace aftershock::gui
