#include "gui/timeline/shown_kinds.h"

#include <bit>

#include "gui/scene/out_count.h"
#include "gui/theme/look.h"
#include "gui/timeline/describe.h"

namespace aftershock::gui {

namespace {

constexpr KindMask mask_of_restarts() {
  KindMask mask = 0;
  for (const Kind kind : kRestartKinds) {
    mask |= mask_of(kind);
  }
  return mask;
}
constexpr KindMask kRestartMask = mask_of_restarts();

/// The part of its colour that is left to a pixel that is made faint, of 255.
constexpr unsigned kFaint = 60;

}  // namespace

void hide_kinds(std::span<Cell> cells, KindMask hidden) {
  if (hidden == 0) {
    return;
  }
  for (Cell& cell : cells) {
    if ((cell.mask & hidden) == 0) {
      continue;
    }
    cell.mask &= ~hidden;
    if (cell.mask == 0) {
      cell = {};
    } else if (!has(cell.mask, cell.dominant)) {
      cell.dominant = most_severe(cell.mask);
      cell.part = 1;
      cell.throughout = 0;
    }
  }
}

void merge_restarts(std::span<Cell> cells) {
  for (Cell& cell : cells) {
    const KindMask restarts = cell.mask & kRestartMask;
    if (cell.dominant < Kind::kCount && has(kRestartMask, cell.dominant) &&
        std::popcount(restarts) > 1) {
      cell.dominant = kRestarting;
    }
  }
}

QString run_text(Kind kind) {
  return kind < Kind::kCount && has(kRestartMask, kind) ? QStringLiteral("restarting")
                                                        : kind_text(kind);
}

void dim_others(std::span<const Cell> cells, Kind lit, Rgb background, std::span<Rgb> row) {
  if (lit == Kind::kCount) {
    return;
  }
  for (std::size_t x = 0; x < cells.size(); ++x) {
    if (!has(cells[x].mask, lit)) {
      row[x] = mixed(row[x], background, kFaint);
    }
  }
}

QRgb lost_fill(Theme theme) {
  const QRgb over = look_of(Kind::kRolledBack, theme).fill;
  const QRgb under = look_of(Kind::kProductive, theme).fill;
  const auto mixed = [](int a, int b) {
    return static_cast<int>(a * kLostTint + b * (1 - kLostTint));
  };
  return qRgb(mixed(qRed(over), qRed(under)), mixed(qGreen(over), qGreen(under)),
              mixed(qBlue(over), qBlue(under)));
}

Rgb bar_colour(const Cell& cell, bool is_share, const std::array<std::uint32_t, 32>& colours) {
  Kind kind = cell.dominant;
  if (is_share && (kind == Kind::kCount || !has(kOutKinds, kind))) {
    const KindMask out = cell.mask & kOutKinds;
    kind = out == 0 ? Kind::kDown : most_severe(out);
  }
  return colours.at(static_cast<std::size_t>(kind)) | 0xff000000;
}

}  // namespace aftershock::gui
