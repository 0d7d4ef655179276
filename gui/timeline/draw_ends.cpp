#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "gui/theme/look.h"
#include "gui/timeline/frame.h"

namespace aftershock::gui {

namespace {

/// The row of the list that says why, and no other of the same job.
bool tells_why(const LaneKey& lane) {
  return lane.facet == Facet::kWhole || lane.facet == Facet::kPhases;
}

/// Room for words behind the end of a job; below 0 where that is out of view.
int room_behind(const Frame& frame, const JobEnd& end) {
  const double right = std::min<double>(frame.layout.width, x_of(frame, frame.run.end_us));
  const double from = std::max<double>(frame.layout.label_px, x_of(frame, end.end_us));
  return static_cast<int>(right - from) - 8;
}

/// A job that is but one row says at its right that it completed, and how far it came.
bool is_one_row(const Frame& frame, const LaneKey& lane) {
  return lane.section == Section::kJobs && lane.facet == Facet::kWhole &&
         !is_open(frame.state.lanes, lane);
}

}  // namespace

bool says_why(const Frame& frame, const LaneKey& lane) {
  const auto end = std::ranges::find_if(frame.ends, [&](const JobEnd& each) {
    return each.lane.section == lane.section && each.lane.group == lane.group;
  });
  return end != frame.ends.end() && end->failed && tells_why(lane) &&
         room_behind(frame, *end) >= QFontMetrics(frame.font).horizontalAdvance(end->words);
}

void draw_ends(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas) {
  if (frame.ends.empty()) {
    return;
  }
  const Layout& layout = frame.layout;
  const Inks& ink = inks(frame.theme);
  QPainter& painter = canvas.painter();
  painter.setClipRect(layout.lanes());
  const double left = layout.label_px;
  const double right = std::min<double>(layout.width, x_of(frame, frame.run.end_us));
  std::map<std::pair<Section, std::int64_t>, const JobEnd*> ends;  // by their rows' group
  for (const JobEnd& each : frame.ends) {
    ends.try_emplace({each.lane.section, each.lane.group}, &each);
  }
  for (const ShownRow& row : rows) {
    const LaneKey& lane = frame.scene.tree().nodes[row.node].key;
    const auto found = ends.find({lane.section, lane.group});
    if (found == ends.end() || lane.node >= 0) {
      continue;
    }
    const JobEnd* const end = found->second;
    const double x = x_of(frame, end->end_us);
    if (x > layout.width) {
      continue;
    }
    QColor colour(end->failed ? look_of(Kind::kFault, frame.theme).fill : ink.text_dim);
    const double from = std::max(left, x);
    if (right - from >= 1) {
      QColor faint = colour;
      faint.setAlpha(end->failed ? 70 : 40);
      painter.fillRect(QRectF(from, row.top, right - from, layout.row_px),
                       QBrush(faint, Qt::BDiagPattern));
    }
    if (x >= left && end->failed) {
      painter.fillRect(QRectF(x - 1, row.top, 2, layout.row_px), colour);
    }
    const int room = room_behind(frame, *end);
    const bool said = is_one_row(frame, lane) && !says_why(frame, lane);
    if (!tells_why(lane) || said || room < layout.row_px || layout.row_px < 12) {
      continue;
    }
    const QString words = QFontMetrics(frame.font).elidedText(end->words, Qt::ElideRight, room);
    painter.setFont(frame.font);
    const int wide = QFontMetrics(frame.font).horizontalAdvance(words);
    const QRectF box(from + 4, row.top + 1, wide + 4, layout.row_px - 2);
    painter.fillRect(box, QColor(ink.lane));
    painter.setPen(end->failed ? colour : QColor(ink.text_dim));
    painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, words);
  }
  painter.setClipRect(QRect(0, 0, layout.width, layout.height));
}

}  // namespace aftershock::gui
