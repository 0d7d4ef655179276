#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "gui/timeline/view_export.h"

class QWidget;

namespace aftershock::gui {

/// The place that a slide goes to.
enum class SlideTo : std::uint8_t { kPng, kSvg, kClipboard };

/// The answer of the dialog.
struct SlideChoice {
  Slide slide = {};
  SlideTo to = SlideTo::kPng;
};

/// Asks how a slide shall look; none if it was called off. `first` is what it begins with, its card
/// the one that can be had.
std::optional<SlideChoice> ask_slide(const Slide& first, QWidget* parent);

}  // namespace aftershock::gui
