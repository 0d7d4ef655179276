#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "gui/lod/scanline.h"
#include "gui/theme/look.h"
#include "gui/timeline/describe.h"
#include "gui/timeline/frame.h"
#include "gui/timeline/lane_bars.h"
#include "gui/timeline/shown_kinds.h"

namespace aftershock::gui {

namespace {

/// Spans of a lane that are told apart by lines and names, at most.
constexpr std::size_t kNamedSpans = 400;
/// A run of pixels narrower than this has no hatch.
constexpr int kHatchFrom_px = 4;
/// A run of pixels narrower than this, logical ones, has no name.
constexpr double kNameFrom_px = 10;
/// Cell::part of a pixel nearly all of which has the colour of its kind.
constexpr int kFull = 150;
/// Behind bars, of 255: the ground that says that something is there at all.
constexpr unsigned kGroundTint = 50;
/// Bars of all of a lane are a large area, and must not shine.
constexpr unsigned kBarTint = 190;

/// The part of that which it covers at least.
constexpr double kLeastLost = 0.5;

/// The runs of a row's pixels, for the layers that are painted over them.
struct RowRuns {
  ShownRow row;
  std::vector<PixelRun> runs;
  std::vector<Cell> cells;  ///< of each pixel
  std::optional<LaneBars> bars = std::nullopt;
};

/// Of a row of the screen the part that is coloured, in device pixels.
struct Body {
  int top = 0;
  int bottom = 0;
};

/// Above and below the coloured part. A group that stands open is a thin strip: what is in it
/// follows below.
int inset_of(const Frame& frame, const ShownRow& row) {
  const LaneTree::Node& node = frame.scene.tree().nodes[row.node];
  if (node.end > row.node + 1 && frame.layout.row_px >= 12 &&
      is_open(frame.state.lanes, node.key)) {
    return frame.layout.row_px / 3;
  }
  return frame.layout.row_px >= 8 ? 2 : 0;
}

Body body_of(const Frame& frame, const ShownRow& row, int height) {
  const int inset = inset_of(frame, row);
  const auto device = [&](int y) { return static_cast<int>(std::lround(y * frame.scale)); };
  const int top = std::clamp(device(row.top + inset), 0, height);
  return {top, std::clamp(device(row.top + frame.layout.row_px - inset), top, height)};
}

Content only_content(const Frame& frame, std::uint32_t node, bool& is_only) {
  const auto content = content_of(frame.scene.tree(), node);
  is_only = content.size() == 1;
  return is_only ? content_from(content.front().id) : Content{};
}

class LanePainter {
 public:
  LanePainter(const Frame& frame, Canvas& canvas)
      : frame_(frame),
        canvas_(canvas),
        columns_(frame.axis),
        colours_(colour_table(frame.theme)),
        cells_(static_cast<std::size_t>(frame.axis.width_px)),
        line_(cells_.size()),
        lane_(make_shades(by_kind(), inks(frame.theme).lane)),
        alternate_(make_shades(by_kind(), inks(frame.theme).lane_alternate)) {}

  void draw(std::span<const ShownRow> rows) {
    std::vector<RowRuns> all;
    for (const ShownRow& row : rows) {
      all.push_back(colour(row));
    }
    QPainter& painter = canvas_.painter();
    painter.setClipRect(frame_.layout.lanes());
    for (const RowRuns& row : all) {
      bool is_only = false;
      const Content content = only_content(frame_, row.row.node, is_only);
      if (is_only && content.is_counter) {
        counter(row.row, content.index);  // takes the painter for itself
        continue;
      }
      if (row.bars) {
        draw_bars_text(frame_, painter, box_of(row.row, 0, frame_.axis.width_px), row.bars->text,
                       inks(frame_.theme).text);
        continue;
      }
      hatch(painter, row);
      draw_rolled_back(painter, row.row);
      const std::uint32_t drawn = drawn_node(frame_, row.row.node);
      is_only = is_only || drawn != row.row.node;
      if (frame_.layout.row_px - 2 * inset_of(frame_, row.row) >= frame_.layout.text_px - 4) {
        name_spans(painter, row, is_only ? only_content(frame_, drawn, is_only).index : kNone);
      }
    }
    shade_beyond(painter);
    for (const RowRuns& row : all) {
      if (says_why(frame_, frame_.scene.tree().nodes[row.row.node].key)) {
        continue;
      }
      draw_outcome(frame_, painter, box_of(row.row, 0, frame_.axis.width_px), row.row.node);
    }
  }

 private:
  [[nodiscard]] std::span<const Rgb, kKinds> by_kind() const {
    return std::span<const Rgb, kKinds>(colours_.data(), kKinds);
  }

  RowRuns colour(const ShownRow& row) {
    const Shades& shades = row.alternate ? alternate_ : lane_;
    const auto device = [&](int y) {
      return std::clamp(static_cast<int>(std::lround(y * frame_.scale)), 0, canvas_.height());
    };
    const Body body = body_of(frame_, row, canvas_.height());
    // In a drawing one lies over the other; pixels are written once.
    const bool layered = canvas_.is_drawing();
    const int end = device(row.top + frame_.layout.row_px);
    std::ranges::fill(line_, shades.background);
    canvas_.fill_rows(device(row.top), layered ? end : body.top, line_);
    canvas_.fill_rows(layered ? end : body.bottom, end, line_);
    under_ = line_;
    frame_.scene.draw(drawn_node(frame_, row.node), columns_, cells_);
    hide_kinds(cells_, frame_.hidden_kinds);
    merge_restarts(cells_);
    if (auto bars = bars_of(frame_, row.node, columns_)) {
      colour_bars(body, *bars);
      return {row, {}, {}, std::move(bars)};
    }
    paint_scanline(cells_, shades, line_.data());
    dim_others(cells_, frame_.lit, shades.background, line_);
    severe_ = line_;
    const bool has_severe = paint_severe(cells_, by_kind(), severe_.data());
    const int strip = has_severe ? std::max(1, (body.bottom - body.top) / 3) : 0;
    const int strip_end = std::min(body.bottom, body.top + strip);
    canvas_.fill_rows(layered ? body.top : strip_end, body.bottom, line_, under_);
    canvas_.fill_rows(body.top, strip_end, severe_, line_);
    return {row, dominant_runs(cells_), cells_};
  }

  /// Bars over what the lane has had until now in the row.
  void colour_bars(const Body& body, const LaneBars& bars) {
    severe_.assign(line_.size(), 0);
    for (std::size_t x = 0; x < line_.size(); ++x) {
      const Rgb colour = bar_colour(cells_[x], bars.is_share, colours_);
      severe_[x] = bars.is_share ? colour : mixed(colour, line_[x], kBarTint);
    }
    dim_others(cells_, frame_.lit, line_.empty() ? 0 : line_.front(), severe_);
    if (!bars.is_share) {
      for (std::size_t x = 0; x < line_.size(); ++x) {
        line_[x] = cells_[x].mask == 0 ? line_[x] : mixed(severe_[x], line_[x], kGroundTint);
      }
    }
    fill_bars(canvas_, body.top, body.bottom, bars, {severe_, line_, under_}, bands_);
    // A fault is seen above whatever it has brought about.
    const KindMask over = bars.is_share ? kSevereKinds & ~kOutKinds : 0;
    severe_ = bands_;
    if (paint_severe(cells_, by_kind(), severe_.data(), over & ~frame_.hidden_kinds)) {
      canvas_.fill_rows(body.top, body.top + std::max(1, (body.bottom - body.top) / 4), severe_,
                        bands_);
    }
  }

  [[nodiscard]] QRectF box_of(const ShownRow& row, double from_px, double to_px) const {
    const int inset = inset_of(frame_, row);
    return {frame_.layout.label_px + from_px / frame_.scale, static_cast<double>(row.top + inset),
            (to_px - from_px) / frame_.scale,
            static_cast<double>(frame_.layout.row_px - 2 * inset)};
  }

  const QBrush& hatch_of(Kind kind) {
    auto& brush = hatches_.at(static_cast<std::size_t>(kind));
    if (brush.style() == Qt::NoBrush) {
      const Look look = look_of(kind, frame_.theme);
      brush = canvas_.is_drawing() ? vector_hatch_brush(look.hatch, look.fill)
                                   : hatch_brush(look.hatch, look.fill, frame_.scale);
    }
    return brush;
  }

  void hatch(QPainter& painter, const RowRuns& row) {
    for (const PixelRun& run : row.runs) {
      if (run.end_px - run.begin_px >= kHatchFrom_px &&
          look_of(run.kind, frame_.theme).hatch != Hatch::kPlain) {
        painter.fillRect(box_of(row.row, run.begin_px, run.end_px), hatch_of(run.kind));
      }
    }
  }

  /// Nothing is known of what was before the run and comes behind it.
  void shade_beyond(QPainter& painter) {
    const QRectF lanes = frame_.layout.lanes();
    const QColor shade(inks(frame_.theme).window);
    // Beside another run time goes on when this one has ended.
    const Trace& trace = frame_.scene.trace();
    const std::int64_t end_us =
        trace.reading ? frame_.run.end_us : std::min(frame_.run.end_us, trace.last_us);
    const double from = x_of(frame_, std::max<std::int64_t>(frame_.run.begin_us, 0));
    const double to = x_of(frame_, end_us) + 1;
    if (from > lanes.left()) {
      painter.fillRect(QRectF(lanes.left(), lanes.top(), from - lanes.left(), lanes.height()),
                       shade);
    }
    if (to < lanes.right()) {
      painter.fillRect(QRectF(to, lanes.top(), lanes.right() + 1 - to, lanes.height()), shade);
    }
  }

  /// Work that was lost later on, over where it was done.
  void draw_rolled_back(QPainter& painter, const ShownRow& row) {
    lost_px_.clear();
    const LaneKey& key = frame_.scene.tree().nodes[row.node].key;
    const bool has_phases = key.facet == Facet::kWhole || key.facet == Facet::kPhases;
    if (!has_phases || (key.section != Section::kJobs && key.section != Section::kExperiments)) {
      return;
    }
    if (has(frame_.hidden_kinds, Kind::kRolledBack)) {
      return;
    }
    const Look look = look_of(Kind::kRolledBack, frame_.theme);
    QColor tint(look.fill);
    const auto a_pixel_us = static_cast<double>(frame_.axis.end_us - frame_.axis.begin_us) /
                            std::max(1, frame_.axis.width_px);
    LaneKey whole = key;
    whole.facet = Facet::kWhole;
    int painted_to = 0;
    for (const Stretch& lost :
         frame_.scene.lost().between(whole, frame_.axis.begin_us, frame_.axis.end_us)) {
      const int from = std::max(painted_to, pixel_of(frame_.axis, lost.begin_us));
      const int to = std::min(frame_.axis.width_px, pixel_of(frame_.axis, lost.end_us) + 1);
      if (to > from) {
        // A loss that is but a part of its pixels is seen, and does not look like all of them.
        const double part =
            static_cast<double>(lost.end_us - lost.begin_us) / a_pixel_us / (to - from);
        tint.setAlphaF(static_cast<float>(kLostTint * std::clamp(part, kLeastLost, 1.0)));
        painter.fillRect(box_of(row, from, to), tint);
        if (to - from >= kHatchFrom_px) {
          painter.fillRect(box_of(row, from, to), hatch_of(Kind::kRolledBack));
        }
        painted_to = to;
        lost_px_.emplace_back(from, to);
      }
    }
  }

  /// A name only where all behind it has the colour that it is read on; whether it is there. Where
  /// that colour lies below a hatch, `is_hatched`, the name has it anew.
  bool name(QPainter& painter, const RowRuns& row, const QRectF& box, QRgb fill,
            const QString& text, bool is_hatched = false) {
    // To measure a text takes as long as to draw it: not where it cannot fit.
    if (box.width() < 8 + static_cast<double>(text.size()) * narrowest_px_) {
      return false;
    }
    const int width = frame_.stamps->width_of(frame_.font, text) + 8;
    if (box.width() < width) {
      return false;
    }
    const auto pixel = [&](double x) {
      return std::clamp(static_cast<int>((x - frame_.layout.label_px) * frame_.scale), 0,
                        static_cast<int>(row.cells.size()));
    };
    const auto end = row.cells.begin() + pixel(box.left() + width);
    if (std::any_of(row.cells.begin() + pixel(box.left() + 2), end,
                    [](const Cell& cell) { return cell.part < kFull; })) {
      return false;
    }
    if (is_hatched) {
      painter.fillRect(QRectF(box.left() + 1, box.top(), width - 2, box.height()), QColor(fill));
    }
    painter.setPen(QColor(text_on(fill)));
    frame_.stamps->draw_between(painter, frame_.font, box.left() + 4, box.top() - 2,
                                box.bottom() + 2, text);
    return true;
  }

  /// Names what is between two pixels. Of work that was lost in part each part has its own name,
  /// and what is left of it has it once.
  void name(QPainter& painter, const RowRuns& row, double from_px, double to_px, Kind kind,
            const QString& text) {
    const QRgb fill = look_of(kind, frame_.theme).fill;
    bool is_named = false;
    const auto name_rest = [&](double until_px) {
      is_named = is_named || name(painter, row, box_of(row.row, from_px, until_px), fill, text);
    };
    if (kind == Kind::kProductive) {
      const QRgb tinted = lost_fill(frame_.theme);
      const QString lost = kind_text(Kind::kRolledBack);
      auto each = std::ranges::upper_bound(lost_px_, from_px, {}, &std::pair<int, int>::second);
      for (; each != lost_px_.end() && each->first < to_px; ++each) {
        name_rest(each->first);
        from_px = std::max<double>(from_px, each->first);
        const double until_px = std::min<double>(to_px, each->second);
        name(painter, row, box_of(row.row, from_px, until_px), tinted, lost, true);
        from_px = until_px;
      }
    }
    name_rest(to_px);
  }

  /// Spans that follow each other with nothing between them, in a lane of its own.
  bool name_true_spans(QPainter& painter, const RowRuns& runs, std::uint32_t index) {
    const ShownRow& row = runs.row;
    const LaneColumns& columns = frame_.scene.trace().lanes[index].columns;
    const LaneSpans spans = frame_.scene.view_of(index).spans;
    const auto [first, found] = columns.overlapping(frame_.axis.begin_us, frame_.axis.end_us);
    const std::size_t last = std::min(found, spans.size());
    if (last - std::min(first, last) > kNamedSpans) {
      return false;
    }
    std::int64_t until_us = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t begin = std::max(spans.begin_us[i], frame_.axis.begin_us);
      const std::int64_t end = std::min(spans.end_us[i], frame_.axis.end_us);
      const std::int64_t next = i + 1 < last ? spans.begin_us[i + 1] : frame_.axis.end_us;
      const bool overlaid = spans.begin_us[i] < until_us || next < end;
      until_us = std::max(until_us, spans.end_us[i]);
      const double from_px = x_on(frame_.axis, begin);
      const double to_px = x_on(frame_.axis, end);
      if (to_px - from_px < 6 * frame_.scale) {
        continue;
      }
      // Those of another kind have another colour.
      if (i > 0 && spans.kind[i - 1] == spans.kind[i] && spans.begin_us[i] > frame_.axis.begin_us) {
        QColor line(inks(frame_.theme).lane);
        painter.fillRect(box_of(row, std::floor(from_px), std::floor(from_px) + frame_.scale),
                         line);
      }
      if (!overlaid && to_px - from_px >= kNameFrom_px * frame_.scale) {
        // Lost work is told by where it lies, not by the span.
        name(painter, runs, from_px, to_px, spans.kind[i],
             spans.kind[i] == Kind::kProductive
                 ? kind_text(Kind::kProductive)
                 : short_text(frame_.scene, {index, static_cast<std::uint32_t>(i)}));
      }
    }
    return true;
  }

  void name_spans(QPainter& painter, const RowRuns& row, std::uint32_t lane) {
    if (lane != kNone && name_true_spans(painter, row, lane)) {
      return;
    }
    for (const PixelRun& run : row.runs) {
      const double width = (run.end_px - run.begin_px) / frame_.scale;
      if (run.kind != Kind::kAttempt && width >= kNameFrom_px) {
        name(painter, row, run.begin_px, run.end_px, run.kind, run_text(run.kind));
      }
    }
  }

  void counter(const ShownRow& row, std::uint32_t index) {
    const LaneTree::Node& node = frame_.scene.tree().nodes[row.node];
    // Of an open group the number is in the row below.
    if (node.end == row.node + 1 || !is_open(frame_.state.lanes, node.key)) {
      draw_counter(frame_, canvas_, columns_, box_of(row, 0, frame_.axis.width_px),
                   (row.alternate ? alternate_ : lane_).background, index);
    }
  }

  const Frame& frame_;
  Canvas& canvas_;
  Columns columns_;
  std::array<std::uint32_t, 32> colours_;
  std::vector<Cell> cells_;
  std::vector<Rgb> line_;
  std::vector<Rgb> under_;
  std::vector<Rgb> severe_;
  std::vector<Rgb> bands_;
  Shades lane_;
  Shades alternate_;
  /// Where lost work is, in device pixels, of the row that was drawn last.
  std::vector<std::pair<int, int>> lost_px_;
  std::array<QBrush, kKinds> hatches_;
  /// No letter is narrower than this.
  double narrowest_px_ = frame_.stamps->width_of(frame_.font, QStringLiteral("iiiiiiii")) / 16.0;
};

}  // namespace

void draw_lanes(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas) {
  LanePainter(frame, canvas).draw(rows);
}

}  // namespace aftershock::gui
