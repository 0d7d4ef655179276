#include "gui/timeline/cut_bands.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

/// The groups that are cut off, of the lane and its parents.
std::vector<LaneKey> cut_groups(const Scene& scene, const LaneKey& lane) {
  std::vector<LaneKey> cut;
  if (lane.section != Section::kPools) {
    if (!scene.cuts().of(lane).empty()) {
      cut.push_back(lane);
    }
    return cut;
  }
  std::vector<LaneKey> groups = groups_of(lane);
  groups.push_back(lane);
  for (const LaneKey& group : groups) {
    if (!scene.cuts().of(group).empty()) {
      cut.push_back(group);
    }
  }
  return cut;
}

bool is_in(const LaneKey& cut, const LaneKey& lane) { return cut == lane || is_above(cut, lane); }

/// Whether the row of the list, which need not be on the screen, is of the cut.
bool row_is_in(const Frame& frame, std::size_t row, const LaneKey& cut) {
  return row < frame.rows.nodes.size() &&
         is_in(cut, frame.scene.tree().nodes[frame.rows.nodes[row]].key);
}

}  // namespace

std::vector<PixelRun> cut_pixels(std::span<const CutRange> ranges, const TimeAxis& axis) {
  std::vector<PixelRun> pixels;
  std::span<const CutRange> left = meeting(ranges, axis.begin_us, axis.end_us);
  while (!left.empty()) {
    const auto pixel = [&axis](std::int64_t t_us) {
      return std::clamp(pixel_of(axis, t_us), 0, axis.width_px);
    };
    const auto end_of_range = [&](const CutRange& range) {
      const int begin = pixel(range.begin_us);
      const std::int64_t last_us = std::max(range.begin_us, range.end_us - 1);
      return std::min(axis.width_px, std::max(begin, pixel(last_us)) + 1);
    };
    PixelRun run{pixel(left.front().begin_us), end_of_range(left.front()), Kind::kCut};
    left = left.subspan(1);
    // All that begin before it ends, and at its end, are of it; the last of them ends last.
    while (!left.empty() && run.end_px < axis.width_px &&
           left.front().begin_us < time_of(axis, run.end_px + 1)) {
      const std::int64_t until_us = time_of(axis, run.end_px + 1);
      const auto behind = std::ranges::partition_point(
          left, [until_us](const CutRange& range) { return range.begin_us < until_us; });
      run.end_px = std::max(run.end_px, end_of_range(*std::prev(behind)));
      left = {behind, left.end()};
    }
    pixels.push_back(run);
    if (run.end_px >= axis.width_px) {
      break;
    }
  }
  return pixels;
}

std::vector<CutBand> cut_bands(const Frame& frame, std::span<const ShownRow> rows) {
  std::vector<CutBand> bands;
  if (frame.scene.cuts().empty()) {
    return bands;
  }
  const auto pinned = static_cast<std::size_t>(frame.layout.pinned);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LaneKey& lane = frame.scene.tree().nodes[rows[i].node].key;
    for (const LaneKey& cut : cut_groups(frame.scene, lane)) {
      const auto open = std::ranges::find_if(bands, [&](const CutBand& band) {
        return band.cut == cut && band.last + 1 == i && i != pinned;
      });
      if (open != bands.end()) {
        open->last = i;
        continue;
      }
      bands.push_back({.cut = cut, .first = i, .last = i, .pixels = {}});
      const auto same = std::ranges::find(bands, cut, &CutBand::cut);
      bands.back().pixels = same + 1 != bands.end()
                                ? same->pixels
                                : cut_pixels(frame.scene.cuts().of(cut), frame.axis);
    }
  }
  for (CutBand& band : bands) {
    band.more_above = band.first == pinned && frame.first_row > 0 &&
                      row_is_in(frame, frame.first_row - 1, band.cut);
    band.more_below = band.last + 1 == rows.size() && band.last >= pinned &&
                      row_is_in(frame, frame.first_row + rows.size() - pinned, band.cut);
  }
  std::erase_if(bands, [](const CutBand& band) { return band.pixels.empty(); });
  std::ranges::stable_sort(bands, {},
                           [](const CutBand& band) { return groups_of(band.cut).size(); });
  return bands;
}

}  // namespace aftershock::gui
