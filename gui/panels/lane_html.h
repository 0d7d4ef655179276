#pragma once

#include <QString>

#include "gui/panels/lane_card.h"

namespace aftershock::gui {

/// A lane as HTML, see card_html.h: what it is in, what is in it, and where its time in view went.
QString lane_html(const LaneCard& card);
/// The same without a heading, to stand below the card of its job.
QString lane_part_html(const LaneCard& card);

}  // namespace aftershock::gui
