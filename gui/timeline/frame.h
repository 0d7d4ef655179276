#pragma once

#include <QFont>
#include <QImage>
#include <QRect>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gui/lanes/lane_rows.h"
#include "gui/scene/scene.h"
#include "gui/theme/theme.h"
#include "gui/timeline/canvas.h"
#include "gui/timeline/glyph_cache.h"
#include "gui/timeline/layout.h"
#include "gui/timeline/notes.h"
#include "gui/view/time_range.h"
#include "gui/view/view_state.h"
#include "gui/why/span_ends.h"

class QPainter;

namespace aftershock::gui {

/// A kind in the legend, and where it stands, in logical pixels.
struct LegendEntry {
  Kind kind = Kind::kCount;
  QRect box = {};
};

/// A mark above the times, in logical pixels: of one fault, or of so many that share it.
struct FaultMark {
  QRect box;
  std::size_t first = 0;  ///< among the trace's
  std::size_t count = 0;
};

/// The parts that frames of one size and run leave for those after them: only changes are drawn.
struct FrameCache {
  std::vector<LegendEntry> legend;  ///< that were drawn
  std::vector<FaultMark> marks;     ///< likewise, from left to right
  QImage minimap;                   ///< without what marks the view in it; null: to be drawn
  bool has_labels = false;          ///< the canvas has them from the frame before
  GlyphCache stamps;                ///< of one theme and scale
};

/// How a job ended.
struct JobOutcome {
  QString text = {};    ///< "completed"; empty: not known
  bool failed = false;  ///< it came to an end that nobody wanted
};

/// The end of a job or experiment, which is drawn in its lanes.
struct JobEnd {
  LaneKey lane;
  std::int64_t end_us = 0;
  bool failed = false;
  QString words;  ///< "✗ failed: exhausted(max_failures)"
};

/// All that a picture of a run depends on, but for what moves above it: the cursor, the selection.
struct Frame {
  Scene& scene;
  const LaneRows& rows;
  const ViewState& state;
  Layout layout = {};
  TimeAxis axis = {};  ///< in device pixels
  TimeRange run = {};
  std::uint32_t first_row = 0;
  double scale = 1;  ///< device pixels a logical one
  Theme theme = Theme::kDark;
  QFont font = {};
  std::optional<std::int64_t> start_us = std::nullopt;  ///< of the calendar, to label with dates
  std::span<const std::int64_t> fault_times = {};
  std::span<const NoteMark> notes = {};   ///< in the order of time
  const NoteIndex* note_index = nullptr;  ///< of them; null where there are none
  std::optional<std::size_t> selected_note = std::nullopt;
  std::span<const JobEnd> ends = {};
  const SpanEnds* span_ends = nullptr;        ///< null: not known
  std::span<const JobOutcome> outcomes = {};  ///< of the jobs, in the order of the header
  KindMask hidden_kinds = 0;                  ///< those that nobody wants to see
  Kind lit = Kind::kCount;       ///< the one that stands out; kCount: all are as they are
  FrameCache* cache = nullptr;   ///< null: nothing is kept; else `canvas` stays from frame to frame
  GlyphCache* stamps = nullptr;  ///< of the cache, or of this frame; `draw_frame` provides them
};

/// The node that a row on the screen shows and where it is; `top` in logical pixels.
struct ShownRow {
  std::uint32_t node = kNowhere;
  int top = 0;
  bool alternate = false;
};
/// The node to draw in place of this one. Of a closed job or trial its phases: attempts and saves,
/// which go on beside them, would hide them.
std::uint32_t drawn_node(const Frame& frame, std::uint32_t node);
/// The whole run in short: the phases of each job and each experiment; empty for too many.
std::vector<std::uint32_t> summary_nodes(const Frame& frame);

/// Rows from the top of the screen, pinned ones first.
std::vector<ShownRow> shown_rows(const Frame& frame);

/// Draws all of it; `canvas` has the size of the layout in device pixels.
void draw_frame(const Frame& frame, Canvas& canvas);

// Its parts.

/// The content of lanes, into the right of the canvas.
void draw_lanes(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas);
/// The marks of the faults that ended attempts, in the lanes of these.
void draw_span_ends(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas);
/// Partitions: over all lanes that are cut off together, with a line where the cut runs between
/// lanes; over what `draw_lanes` has drawn.
void draw_cuts(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas);
/// The time after the ends of jobs, and why they ended: no lane of theirs is merely empty.
void draw_ends(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas);
/// Whether that says at this lane why its job failed, in whole words; else how it ended stands at
/// the right of a job that is but one row.
[[nodiscard]] bool says_why(const Frame& frame, const LaneKey& lane);
/// When there were any, in the minimap.
void draw_cuts_in_minimap(const Frame& frame, const TimeAxis& axis, QPainter& painter);
/// A counter or curve (see Scene::counter) as steps within `box`, logical pixels: the least and the
/// most of each pixel, the limit, and marks. `columns` are those of the frame's axis.
void draw_counter(const Frame& frame, Canvas& canvas, const Columns& columns, const QRectF& box,
                  Rgb background, std::uint32_t index);
/// The levels of each device pixel of a counter: the least and the most of it; none before the
/// first sample and after the last record. Takes time for the pixels, not for the samples.
std::vector<Extremes> levels_of(const Frame& frame, const Columns& columns, const Counter& counter,
                                const ExtremeLevels& levels);
/// Names on the left.
void draw_labels(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas);
/// Times and faults above the lanes.
void draw_ruler(const Frame& frame, Canvas& canvas);
/// Notes above the faults, and on their lanes.
void draw_notes(const Frame& frame, Canvas& canvas);
/// The whole run above all, and what of it is in view.
void draw_minimap(const Frame& frame, Canvas& canvas);

/// Where a time is, in logical pixels of the viewport; beyond its edges where it is not shown.
double x_of(const Frame& frame, std::int64_t t_us);
/// The same in pixels of an axis.
double x_on(const TimeAxis& axis, std::int64_t t_us);

}  // namespace aftershock::gui
