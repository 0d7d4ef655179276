#pragma once

#include <QRgb>
#include <cstddef>

#include "gui/theme/theme.h"

namespace aftershock::gui {

/// How many jobs have a colour of their own; those that follow begin again with the first.
inline constexpr std::size_t kJobColours = 8;

/// The colour of a job, by its number in the header, where several jobs are told apart: 3 to 1
/// against the lanes of the theme, and neighbours differ for those who miss a kind of cone, too.
QRgb job_colour(std::size_t job, Theme theme);

}  // namespace aftershock::gui
