#pragma once

#include <string>
#include <string_view>

namespace aftershock::reports {

/// A text as a cell of a table in GitHub's Markdown, on one line: it shows as it is, whatever of
/// Markdown or HTML is in it.
std::string markdown_cell(std::string_view text);

}  // namespace aftershock::reports
