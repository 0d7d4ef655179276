#pragma once

#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui::testing {

/// Everything that a trace knows of a recording's records, a line each.
std::vector<std::string> told_of(const Trace& trace);

/// The same from the recording's text, found the slow way: every line through a JSON library, maps
/// and searches. Whole lines only.
std::vector<std::string> told_naively(const std::string& text);

/// The first line in which they differ; empty if they do not.
std::string difference(const std::vector<std::string>& found,
                       const std::vector<std::string>& expected);

}  // namespace aftershock::gui::testing
