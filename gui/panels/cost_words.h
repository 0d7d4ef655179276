#pragma once

#include <QString>

#include "gui/compare/cost_lines.h"

namespace aftershock::gui {

// A line of a comparison, as it is read.

/// A time by its two longest units: "2 d 4 h", "12 min 5 s", "-340 ms".
QString brief_time(std::int64_t us);

/// "lost work", "checkpoint blocking".
QString what_words(const CostLine& line);
/// The value of A or of B; a dash where it is not known.
QString value_words(const CostLine& line, bool of_b);
/// B - A with its sign; empty where that is unknown or not a number.
QString difference_words(const CostLine& line);
/// That as a part of A, and what B is by it: "-12.3 %, better".
QString judgement_words(const CostLine& line);
/// All of it exactly, in lines.
QString line_words(const CostLine& line);

}  // namespace aftershock::gui
