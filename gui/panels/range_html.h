#pragma once

#include <QString>
#include <cstdint>

#include "gui/why/decision_titles.h"
#include "gui/why/range_answer.h"

namespace aftershock::gui {

/// The events within a range of time, as HTML (see card_html.h). `step_us` is the time that a pixel
/// shows: the ends of the range are told as exactly as that.
QString range_html(const Trace& trace, const RangeAnswer& answer, const DecisionTitles& titles,
                   std::int64_t step_us);

}  // namespace aftershock::gui
