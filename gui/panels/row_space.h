#pragma once

namespace aftershock::gui {

/// What a row of a table is higher than its text, in pixels.
inline constexpr int kRowSpace = 6;

}  // namespace aftershock::gui
