#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <span>

#include "gui/lod/scanline.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

/// The phases in which a job starts again, in the order of a start: one hue in steps.
inline constexpr std::array kRestartKinds{Kind::kLaunching, Kind::kRendezvous, Kind::kRestoring,
                                          Kind::kWarmingUp};
/// The colour, by kind, of a pixel that holds several of them.
inline constexpr Kind kRestarting = Kind::kRendezvous;

/// Takes kinds out of pixels. One that has lost what dominated it shows the most severe of the
/// rest.
void hide_kinds(std::span<Cell> cells, KindMask hidden);

/// Where several phases of a restart share a pixel none of them dominates it: it is a restart, in
/// one colour.
void merge_restarts(std::span<Cell> cells);

/// The name of a run of pixels: of a restart's phases, which may be several in each, "restarting".
QString run_text(Kind kind);

/// Makes all pixels faint but those that hold `lit`, if that is a kind.
void dim_others(std::span<const Cell> cells, Kind lit, Rgb background, std::span<Rgb> row);

/// How much of what lies under lost work its colour covers.
inline constexpr double kLostTint = 0.82;
/// The colour of work that was lost.
QRgb lost_fill(Theme theme);

/// The colour of the bar in a pixel: of what dominates there; in a share of nodes of what they are
/// out of service for.
Rgb bar_colour(const Cell& cell, bool is_share, const std::array<std::uint32_t, 32>& colours);

}  // namespace aftershock::gui
