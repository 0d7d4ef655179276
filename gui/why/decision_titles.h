#pragma once

#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A few words for each decision of a trace: the rules that applied.
struct DecisionTitles {
  TextTable texts;
  std::vector<TextId> of;  ///< by decision; kNoText where there is none
};

/// So many decisions get titles: with more, to read them all would take too long.
inline constexpr std::size_t kTitlesMax = 100'000;

/// Costs one pass over the lines of the decisions.
DecisionTitles decision_titles(const Trace& trace, const std::string& path);
/// Adds those of the decisions that came since; costs a pass over what is new.
void add_titles(DecisionTitles& titles, const Trace& trace, const std::string& path);

}  // namespace aftershock::gui
