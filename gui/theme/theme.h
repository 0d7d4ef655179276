#pragma once

#include <QPalette>
#include <QRgb>
#include <cstdint>
#include <optional>
#include <string_view>

namespace aftershock::gui {

/// How the window looks; the choice is the user's and not the system's, so that a picture is the
/// same on every machine.
enum class Theme : std::uint8_t { kDark, kLight };

/// "dark" and "light", as settings and arguments have them.
std::string_view name_of(Theme theme);
std::optional<Theme> theme_of(std::string_view name);

/// The colours of everything that is drawn by hand, all opaque. Text on any background of the same
/// theme has a contrast of at least 4.5 (WCAG 2.1, 1.4.3), dim text too.
struct Inks {
  QRgb window;          ///< behind panels and the ruler
  QRgb lane;            ///< behind spans
  QRgb lane_alternate;  ///< behind those of every second lane
  QRgb grid;            ///< lines of the ruler's ticks, faint on purpose
  QRgb text;
  QRgb text_dim;
  QRgb accent;     ///< links, what has the focus
  QRgb selection;  ///< around what is selected; 3 to 1 against lanes
  QRgb cursor;     ///< the line at the replay's time; 3 to 1 against lanes
  QRgb warning;    ///< text that something is wrong
  QRgb run_a;      ///< tint of the first run in a comparison
  QRgb run_b;      ///< and of the second, which differs from it in lightness as well
};

/// The colours of a theme.
const Inks& inks(Theme theme);
/// Those of widgets.
QPalette palette(Theme theme);
/// Fusion with that palette, for all windows.
void apply_theme(Theme theme);

}  // namespace aftershock::gui
