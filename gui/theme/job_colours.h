#pragma once

#include <cstddef>

#include "gui/theme/look.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

/// How many jobs have a colour of their own; those that follow have the same with a pattern.
inline constexpr std::size_t kJobColours = 7;

/// The look of a job, by its number in the header, where several jobs are told apart: its colour is
/// 3 to 1 against the lanes of the theme, and not that of work; those of two jobs differ for those
/// who miss a kind of cone, too, or in their hatch.
Look job_look(std::size_t job, Theme theme);

}  // namespace aftershock::gui
