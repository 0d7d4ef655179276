#pragma once

#include <string_view>

#include "reports/recording/record.h"

namespace aftershock::reports {

/// Reads a line of the shape that nearly all have: begin, end, instant, counter or fault; flat; "t"
/// and "r" first, no blanks; integers of at most 18 digits and texts of plain ASCII without
/// escapes. `line` must have kLinePadding readable bytes behind it, the first of them no part of a
/// text. False for any other line, good or bad, and then `record` says nothing: the JSON parser
/// decides. The JSON parser gives the same result for a line that is read here.
bool read_common_line(std::string_view line, Record& record);

}  // namespace aftershock::reports
