#pragma once

#include <string>
#include <string_view>

namespace aftershock::reports {

/// A text as a cell of a table, on one line (`one_line`), as tables are read by lines too: in
/// quotes where it has a comma or a quote (RFC 4180). One that a spreadsheet would reckon as a
/// formula (it begins with = + - @, a tab or a carriage return) gets an apostrophe in front, which
/// spreadsheets take for "this is text".
std::string csv_cell(std::string_view text);

}  // namespace aftershock::reports
