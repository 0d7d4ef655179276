#pragma once

namespace aftershock::gui {

/// The height of a table's row beyond its text, in pixels.
inline constexpr int kRowSpace = 6;

}  // namespace aftershock::gui
