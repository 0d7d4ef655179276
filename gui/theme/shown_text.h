#pragma once

#include <QString>
#include <string_view>

#include "gui/trace/display_text.h"

namespace aftershock::gui {

/// A text of a recording as plain text to be shown.
inline QString shown_text(std::string_view text) {
  return QString::fromStdString(display_text(text));
}

}  // namespace aftershock::gui
