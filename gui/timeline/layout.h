#pragma once

#include <QRect>
#include <algorithm>

namespace aftershock::gui {

/// Bounds of the height of a row.
inline constexpr int kLowestRow_px = 1;
inline constexpr int kHighestRow_px = 96;

/// Where the parts of a timeline are, in logical pixels: above the minimap, below it the ruler,
/// then pinned lanes and the others; labels on the left of all.
struct Layout {
  int width = 0;
  int height = 0;
  int row_px = 22;
  int pinned = 0;      ///< rows of them
  int text_px = 16;    ///< height of a line of text
  int label_px = 0;    ///< width of the labels
  int minimap_px = 0;  ///< heights
  int ruler_px = 0;
  int legend_px = 0;  ///< below all
  int notes_px = 0;   ///< of the ruler's height what notes have, at its top

  /// Where labels end.
  [[nodiscard]] int left() const { return std::min(label_px, width); }
  /// The width left for time.
  [[nodiscard]] int time_width() const { return std::max(0, width - label_px); }
  /// Where lanes begin.
  [[nodiscard]] int rows_top() const { return minimap_px + ruler_px; }
  /// Where lanes end.
  [[nodiscard]] int rows_bottom() const { return std::max(rows_top(), height - legend_px); }
  /// Where those begin that are not pinned.
  [[nodiscard]] int scrolled_top() const { return rows_top() + pinned * row_px; }
  /// Where time runs: the minimap, the ruler, the lanes.
  [[nodiscard]] QRect minimap() const { return {label_px, 0, time_width(), minimap_px}; }
  [[nodiscard]] QRect ruler() const { return {label_px, minimap_px, time_width(), ruler_px}; }
  [[nodiscard]] QRect lanes() const {
    return {label_px, rows_top(), time_width(), rows_bottom() - rows_top()};
  }
  /// Where the colours are told of.
  [[nodiscard]] QRect legend() const { return {0, rows_bottom(), width, height - rows_bottom()}; }
  /// Rows that scroll and are seen, the last perhaps in part.
  [[nodiscard]] int seen_rows() const {
    return std::max(0, (rows_bottom() - scrolled_top() + row_px - 1) / row_px);
  }
  /// Those that are seen as a whole, at least one.
  [[nodiscard]] int whole_rows() const {
    return std::max(1, (rows_bottom() - scrolled_top()) / row_px);
  }
};

/// The layout of a viewport whose text has this height; `has_notes`: with room for them.
inline Layout make_layout(int width, int height, int text_px, int row_px, int pinned,
                          bool has_notes = false) {
  Layout layout{.width = width, .height = height, .row_px = row_px, .text_px = text_px};
  layout.label_px = std::min(text_px * 13, width / 3);
  layout.minimap_px = text_px * 2;
  layout.notes_px = has_notes ? text_px + 6 : 0;
  layout.ruler_px = text_px * 2 + 12 + layout.notes_px;
  // Where there is hardly room for lanes these come first.
  const int rows = height - layout.rows_top();
  const int lines = rows >= 24 * text_px ? 2 : rows >= 8 * text_px ? 1 : 0;
  layout.legend_px = lines > 0 ? lines * (text_px + 4) + 6 : 0;
  // Something of the others is left to be seen.
  const int room = (layout.rows_bottom() - layout.rows_top()) / (2 * row_px);
  layout.pinned = std::clamp(pinned, 0, std::max(0, room));
  return layout;
}

}  // namespace aftershock::gui
