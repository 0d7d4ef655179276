#include "gui/lod/scanline.h"

namespace aftershock::gui {
namespace {

template <class KindOf>
std::vector<PixelRun> runs(std::span<const Cell> cells, KindOf&& kind_of) {
  std::vector<PixelRun> found;
  for (std::size_t x = 0; x < cells.size(); ++x) {
    const Kind kind = kind_of(cells[x]);
    const int px = static_cast<int>(x);
    if (kind == Kind::kCount) {
      continue;
    }
    if (!found.empty() && found.back().kind == kind && found.back().end_px == px) {
      ++found.back().end_px;
    } else {
      found.push_back({px, px + 1, kind});
    }
  }
  return found;
}

}  // namespace

Rgb mixed(Rgb colour, Rgb background, unsigned part) {
  Rgb result = 0xff000000;
  for (const unsigned at : {0U, 8U, 16U}) {
    const unsigned over = (colour >> at) & 255U;
    const unsigned under = (background >> at) & 255U;
    result |= ((over * part + under * (255 - part) + 127) / 255) << at;
  }
  return result;
}

Shades make_shades(std::span<const Rgb, kKinds> colours, Rgb background) {
  Shades shades;
  shades.background = background | 0xff000000;
  for (auto& of_kind : shades.of) {
    of_kind.fill(shades.background);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (std::size_t step = 0; step < Shades::kSteps; ++step) {
      const auto part = static_cast<unsigned>(85 + (255 - 85) * step / (Shades::kSteps - 1));
      shades.of[kind][step] = mixed(colours[kind], background, part);
    }
  }
  return shades;
}

void paint_scanline(std::span<const Cell> cells, const Shades& shades, Rgb* row) {
  for (std::size_t x = 0; x < cells.size(); ++x) {
    row[x] = shades.of[static_cast<std::size_t>(cells[x].dominant)][cells[x].covered / 16];
  }
}

Kind severe_of(const Cell& cell, KindMask severe) {
  if ((cell.mask & severe & ~mask_of(cell.dominant)) == 0) {
    return Kind::kCount;
  }
  const Kind kind = most_severe(cell.mask & severe);
  return severity(kind) > severity(cell.dominant) ? kind : Kind::kCount;
}

bool paint_severe(std::span<const Cell> cells, std::span<const Rgb, kKinds> colours, Rgb* row,
                  KindMask severe) {
  bool is_painted = false;
  for (std::size_t x = 0; x < cells.size(); ++x) {
    // Most pixels have none.
    if ((cells[x].mask & severe) == 0) {
      continue;
    }
    const Kind kind = severe_of(cells[x], severe);
    if (kind != Kind::kCount) {
      row[x] = colours[static_cast<std::size_t>(kind)] | 0xff000000;
      is_painted = true;
    }
  }
  return is_painted;
}

std::vector<PixelRun> dominant_runs(std::span<const Cell> cells) {
  return runs(cells, [](const Cell& cell) { return cell.dominant; });
}

std::vector<PixelRun> severe_runs(std::span<const Cell> cells, KindMask severe) {
  return runs(cells, [&](const Cell& cell) { return severe_of(cell, severe); });
}

}  // namespace aftershock::gui
