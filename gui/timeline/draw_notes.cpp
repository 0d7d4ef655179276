#include <QFontMetrics>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.h"
#include "gui/theme/look.h"
#include "gui/timeline/frame.h"
#include "gui/timeline/notes.h"
#include "gui/trace/display_text.h"

namespace aftershock::gui {

namespace {

/// Flags nearer than this share one.
constexpr double kApart_px = 10;
/// Corners on a lane nearer than this are one.
constexpr double kCornersApart_px = 4;
/// A flag without text.
constexpr double kSmall_px = 9;
/// Text is worth its room from here on, and gets at most so much.
constexpr double kTextFrom_px = 36;
constexpr double kTextMost_px = 260;
/// The bar of a range, below the flags.
constexpr double kBar_px = 3;
constexpr std::size_t kTooltipLines = 12;

QString shown(const QString& text) {
  return QString::fromStdString(display_text(text.toStdString()));
}

bool is_range(const NoteMark& note) { return note.end_us > note.begin_us; }

bool in_view(const Frame& frame, const NoteMark& note) {
  const std::int64_t last = is_range(note) ? note.end_us - 1 : note.begin_us;
  return note.begin_us < frame.axis.end_us && last >= frame.axis.begin_us;
}

/// The first note that begins at the time or later.
std::size_t first_from(std::span<const NoteMark> notes, std::int64_t t_us) {
  return static_cast<std::size_t>(std::ranges::lower_bound(notes, t_us, {}, &NoteMark::begin_us) -
                                  notes.begin());
}

/// The first range, from `from` on, that ends later than any before it and than the time.
std::size_t next_range(const NoteIndex& index, std::int64_t t_us, std::size_t from) {
  const auto& ends = index.latest_end_us;
  return static_cast<std::size_t>(
      std::upper_bound(ends.begin() + static_cast<std::ptrdiff_t>(from), ends.end(), t_us) -
      ends.begin());
}

double left_of(const Frame& frame, const NoteMark& note) {
  return std::max(std::floor(x_of(frame, note.begin_us)),
                  static_cast<double>(frame.layout.label_px));
}

bool holds(const NoteFlag& flag, std::optional<std::size_t> note) {
  return note && flag.place_of(*note);
}

/// Ranges as one bar, and brighter the one that is selected.
void draw_bars(QPainter& painter, const Frame& frame, const QColor& colour) {
  const Layout& layout = frame.layout;
  const double top = layout.minimap_px + layout.notes_px - kBar_px - 1;
  double painted_to = layout.label_px;
  const TimeAxis& axis = frame.axis;
  const std::size_t end = first_from(frame.notes, axis.end_us);
  std::int64_t known_us = axis.begin_us;
  // Those that meet are drawn in one.
  double bar_from = painted_to;
  const auto draw_bar = [&] {
    if (painted_to > bar_from) {
      painter.fillRect(QRectF(bar_from, top, painted_to - bar_from, kBar_px), colour);
    }
  };
  for (std::size_t i = 0; (i = next_range(*frame.note_index, known_us, i)) < end; ++i) {
    const NoteMark& note = frame.notes[i];
    const double begin = x_of(frame, note.begin_us);
    const double from = std::max(painted_to, begin);
    const double to = std::min<double>(layout.width, std::max(x_of(frame, note.end_us), begin + 1));
    if (to > from) {
      if (from > painted_to) {
        draw_bar();
        bar_from = from;
      }
      painted_to = to;
    }
    // A note that ends within these pixels adds nothing to them.
    const int pixel = static_cast<int>((painted_to - layout.label_px) * frame.scale);
    known_us = std::max(note.end_us, time_of(axis, std::clamp(pixel, 0, axis.width_px)));
  }
  draw_bar();
  if (frame.selected_note && *frame.selected_note < frame.notes.size()) {
    const NoteMark& note = frame.notes[*frame.selected_note];
    if (is_range(note) && in_view(frame, note)) {
      const double from = left_of(frame, note);
      const double to = std::min<double>(layout.width, x_of(frame, note.end_us));
      painter.fillRect(QRectF(from, top, std::max(1.0, to - from), kBar_px),
                       QColor(inks(frame.theme).selection));
    }
  }
}

/// On the lane that a note is about, where that has a row: a corner at its time.
void draw_on_lanes(QPainter& painter, const Frame& frame, const QColor& colour) {
  const Layout& layout = frame.layout;
  painter.setClipRect(layout.lanes());
  const double side = std::clamp(layout.row_px / 2.0, 3.0, 9.0);
  const auto name = static_cast<quint64>(Mark::kCorner) + static_cast<quint64>(2 * side);
  const int room = static_cast<int>(std::ceil(side)) + 1;
  const NoteIndex& index = *frame.note_index;
  const auto note_of = [&](std::uint32_t number) -> const NoteMark& { return frame.notes[number]; };
  const auto lane_of = [&](std::uint32_t number) -> const LaneKey& {
    return *note_of(number).lane;
  };
  const auto corner = [&](double x, double y) {
    frame.stamps->draw_mark(painter, name, {room, room}, {x, y}, [&](QPainter& stamp) {
      stamp.setPen(Qt::NoPen);
      stamp.setBrush(colour);
      stamp.drawPolygon(QPolygonF({{0, 0}, {side, 0}, {0, side}}));
    });
  };
  for (int i = 0; i < layout.seen_rows(); ++i) {
    const std::size_t row = frame.first_row + static_cast<std::size_t>(i);
    if (row >= frame.rows.nodes.size()) {
      break;
    }
    const LaneKey& lane = frame.scene.tree().nodes[frame.rows.nodes[row]].key;
    const auto notes = std::ranges::equal_range(index.by_lane, lane, {}, lane_of);
    const double y = layout.scrolled_top() + i * layout.row_px + 1;
    auto at = std::ranges::lower_bound(notes, frame.axis.begin_us, {}, [&](std::uint32_t number) {
      return note_of(number).begin_us;
    });
    const auto before = at - index.by_lane.begin();
    if (at != notes.begin() &&
        index.lane_latest_us[static_cast<std::size_t>(before - 1)] > frame.axis.begin_us) {
      corner(layout.label_px, y);
    }
    while (at != notes.end() && note_of(*at).begin_us < frame.axis.end_us) {
      const double x = left_of(frame, note_of(*at));
      corner(x, y);
      at = std::partition_point(at, notes.end(), [&](std::uint32_t number) {
        return left_of(frame, note_of(number)) - x < kCornersApart_px;
      });
    }
  }
}

}  // namespace

NoteIndex make_note_index(std::span<const NoteMark> notes) {
  AFTERSHOCK_ASSERT(std::ranges::is_sorted(notes, {}, &NoteMark::begin_us));
  constexpr std::int64_t kNone_us = std::numeric_limits<std::int64_t>::min();
  const auto end_of = [](const NoteMark& note) { return is_range(note) ? note.end_us : kNone_us; };
  NoteIndex index;
  std::int64_t latest_us = kNone_us;
  for (std::uint32_t i = 0; i < notes.size(); ++i) {
    latest_us = std::max(latest_us, end_of(notes[i]));
    index.latest_end_us.push_back(latest_us);
    if (notes[i].lane) {
      index.by_lane.push_back(i);
    }
  }
  std::ranges::stable_sort(index.by_lane, {}, [&](std::uint32_t i) { return *notes[i].lane; });
  for (std::size_t i = 0; i < index.by_lane.size(); ++i) {
    const NoteMark& note = notes[index.by_lane[i]];
    const bool same = i > 0 && notes[index.by_lane[i - 1]].lane == note.lane;
    index.lane_latest_us.push_back(
        std::max(end_of(note), same ? index.lane_latest_us.back() : kNone_us));
  }
  return index;
}

std::optional<std::size_t> NoteFlag::place_of(std::size_t note) const {
  if (note >= first && note < last) {
    return earlier.size() + note - first;
  }
  const auto found = std::ranges::find(earlier, note);
  return found == earlier.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - earlier.begin()));
}

std::vector<NoteFlag> note_flags(const Frame& frame) {
  AFTERSHOCK_ASSERT(frame.note_index != nullptr);
  const Layout& layout = frame.layout;
  std::vector<NoteFlag> flags;
  const double height = layout.notes_px - kBar_px - 3;
  const double top = layout.minimap_px + 1.0;
  const std::size_t begin = first_from(frame.notes, frame.axis.begin_us);
  const std::size_t end = first_from(frame.notes, frame.axis.end_us);
  std::vector<std::size_t> earlier;
  for (std::size_t i = next_range(*frame.note_index, frame.axis.begin_us, 0); i < begin; ++i) {
    if (in_view(frame, frame.notes[i])) {
      earlier.push_back(i);
    }
  }
  std::size_t next = begin;
  const auto add = [&](double x) {
    const auto behind = std::partition_point(
        frame.notes.begin() + static_cast<std::ptrdiff_t>(next),
        frame.notes.begin() + static_cast<std::ptrdiff_t>(end),
        [&](const NoteMark& note) { return left_of(frame, note) - x < kApart_px; });
    flags.push_back({.box = {x, top, kSmall_px, height}, .first = next});
    next = flags.back().last = static_cast<std::size_t>(behind - frame.notes.begin());
  };
  if (!earlier.empty()) {
    add(layout.label_px);
    flags.back().earlier = std::move(earlier);
  }
  while (next < end) {
    add(left_of(frame, frame.notes[next]));
  }
  const QFontMetrics metrics(frame.font);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const double right = i + 1 < flags.size() ? flags[i + 1].box.left() : layout.width;
    const double room = std::min(kTextMost_px, right - flags[i].box.left() - 3);
    if (room >= kTextFrom_px) {
      const QString text = shown(frame.notes[flags[i].note(0)].text);
      const double wanted = metrics.horizontalAdvance(text) + 10;
      flags[i].has_text = true;
      flags[i].box.setWidth(std::clamp(wanted, kSmall_px, room));
    }
  }
  return flags;
}

std::optional<std::size_t> note_at(const Frame& frame, std::span<const NoteFlag> flags, QPoint at) {
  const Layout& layout = frame.layout;
  if (at.x() < layout.label_px || at.y() < layout.minimap_px ||
      at.y() >= layout.minimap_px + layout.notes_px) {
    return std::nullopt;
  }
  for (const NoteFlag& flag : flags) {
    if (flag.box.adjusted(-2, -1, 2, 1).contains(at)) {
      const auto now = frame.selected_note ? flag.place_of(*frame.selected_note) : std::nullopt;
      return flag.note(now && *now + 1 < flag.count() ? *now + 1 : 0);
    }
  }
  // The bar of the range that began last.
  for (std::size_t i = frame.notes.size(); i-- > 0;) {
    const NoteMark& note = frame.notes[i];
    if (is_range(note) && x_of(frame, note.begin_us) <= at.x() &&
        at.x() <= x_of(frame, note.end_us)) {
      return i;
    }
  }
  return std::nullopt;
}

QString flag_text(std::span<const NoteMark> notes, const NoteFlag& flag) {
  QStringList lines;
  for (std::size_t i = 0; i < flag.count(); ++i) {
    if (static_cast<std::size_t>(lines.size()) == kTooltipLines) {
      lines << QStringLiteral("…");
      break;
    }
    lines << shown(notes[flag.note(i)].text);
  }
  return lines.join(u'\n');
}

void draw_notes(const Frame& frame, Canvas& canvas) {
  const Layout& layout = frame.layout;
  if (frame.notes.empty() || layout.notes_px == 0) {
    return;
  }
  const Inks& ink = inks(frame.theme);
  const QColor colour(ink.accent);
  QPainter& painter = canvas.painter();
  painter.setClipRect(QRect(layout.label_px, 0, layout.time_width(), layout.height));
  draw_bars(painter, frame, colour);
  painter.setFont(frame.font);
  const QFontMetrics metrics(frame.font);
  for (const NoteFlag& flag : note_flags(frame)) {
    const bool is_selected = holds(flag, frame.selected_note);
    const QColor fill = is_selected ? QColor(ink.selection) : colour;
    QColor pole = fill;
    const double strip = layout.minimap_px + layout.notes_px;
    painter.fillRect(QRectF(flag.box.left(), flag.box.top(), 1, strip - flag.box.top()), pole);
    // Times are read through it.
    pole.setAlpha(90);
    painter.fillRect(QRectF(flag.box.left(), strip, 1, layout.height - strip), pole);
    if (flag.has_text) {
      painter.fillRect(flag.box, fill);
      const std::size_t note = is_selected ? *frame.selected_note : flag.note(0);
      QString text = shown(frame.notes[note].text);
      if (flag.count() > 1) {
        text.prepend(QStringLiteral("%1: ").arg(flag.count()));
      }
      painter.setPen(QColor(text_on(fill.rgb())));
      const QRectF inner = flag.box.adjusted(5, 0, -3, 0);
      painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                       metrics.elidedText(text, Qt::ElideRight, static_cast<int>(inner.width())));
    } else {
      const QSizeF size = flag.box.size();
      const Mark mark = is_selected ? Mark::kSelectedFlag : Mark::kFlag;
      frame.stamps->draw_mark(
          painter, static_cast<quint64>(mark), size.toSize(), flag.box.topLeft(),
          [&](QPainter& stamp) {
            stamp.setRenderHint(QPainter::Antialiasing);
            stamp.setPen(Qt::NoPen);
            stamp.setBrush(fill);
            stamp.drawPolygon(
                QPolygonF({{0, 0}, {size.width(), size.height() / 2}, {0, size.height()}}));
          });
    }
  }
  draw_on_lanes(painter, frame, colour);
}

}  // namespace aftershock::gui
