#pragma once

#include <QString>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The ends of two runs in a sentence: "B failed at 05:02:10 with 7.1 % of the steps; A completed
/// at 3d 00:12:40." Of several jobs it counts the failed ones. Empty where a run has no end yet.
QString compare_headline(const Trace& a, const Trace& b);

}  // namespace aftershock::gui
