#include <QFontMetrics>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "gui/theme/look.h"
#include "gui/timeline/frame.h"
#include "gui/timeline/notes.h"
#include "gui/trace/display_text.h"

namespace aftershock::gui {

namespace {

/// Flags nearer than this share one.
constexpr double kApart_px = 10;
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

double left_of(const Frame& frame, const NoteMark& note) {
  return std::max(std::floor(x_of(frame, note.begin_us)),
                  static_cast<double>(frame.layout.label_px));
}

bool holds(const NoteFlag& flag, std::optional<std::size_t> note) {
  return note && std::ranges::find(flag.notes, *note) != flag.notes.end();
}

/// Ranges as one bar, and brighter the one that is selected.
void draw_bars(QPainter& painter, const Frame& frame, const QColor& colour) {
  const Layout& layout = frame.layout;
  const double top = layout.minimap_px + layout.notes_px - kBar_px - 1;
  double painted_to = layout.label_px;
  for (const NoteMark& note : frame.notes) {
    if (!is_range(note) || !in_view(frame, note)) {
      continue;
    }
    const double begin = x_of(frame, note.begin_us);
    const double from = std::max(painted_to, begin);
    const double to = std::min<double>(layout.width, std::max(x_of(frame, note.end_us), begin + 1));
    if (to > from) {
      painter.fillRect(QRectF(from, top, to - from, kBar_px), colour);
      painted_to = to;
    }
  }
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
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const double side = std::clamp(layout.row_px / 2.0, 3.0, 9.0);
  for (const NoteMark& note : frame.notes) {
    if (!note.lane || !in_view(frame, note)) {
      continue;
    }
    const auto node = find(frame.scene.tree(), *note.lane);
    const std::uint32_t row = node ? frame.rows.row_of[*node] : kNowhere;
    if (row == kNowhere || row < frame.first_row ||
        row - frame.first_row >= static_cast<std::uint32_t>(layout.seen_rows())) {
      continue;
    }
    const double x = left_of(frame, note);
    const double y =
        layout.scrolled_top() + static_cast<double>(row - frame.first_row) * layout.row_px + 1;
    painter.drawPolygon(QPolygonF({{x, y}, {x + side, y}, {x, y + side}}));
  }
}

}  // namespace

std::vector<NoteFlag> note_flags(const Frame& frame) {
  const Layout& layout = frame.layout;
  std::vector<NoteFlag> flags;
  const double height = layout.notes_px - kBar_px - 3;
  for (std::size_t i = 0; i < frame.notes.size(); ++i) {
    const NoteMark& note = frame.notes[i];
    if (!in_view(frame, note)) {
      continue;
    }
    const double x = left_of(frame, note);
    if (flags.empty() || x - flags.back().box.left() >= kApart_px) {
      flags.push_back({.box = {x, layout.minimap_px + 1.0, kSmall_px, height}});
    }
    flags.back().notes.push_back(i);
  }
  const QFontMetrics metrics(frame.font);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const double next = i + 1 < flags.size() ? flags[i + 1].box.left() : layout.width;
    const double room = std::min(kTextMost_px, next - flags[i].box.left() - 3);
    if (room >= kTextFrom_px) {
      const QString text = shown(frame.notes[flags[i].notes.front()].text);
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
      const auto now = frame.selected_note ? std::ranges::find(flag.notes, *frame.selected_note)
                                           : flag.notes.end();
      return now == flag.notes.end() || now + 1 == flag.notes.end() ? flag.notes.front()
                                                                    : *(now + 1);
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
  for (const std::size_t note : flag.notes) {
    if (static_cast<std::size_t>(lines.size()) == kTooltipLines) {
      lines << QStringLiteral("…");
      break;
    }
    lines << shown(notes[note].text);
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
      const std::size_t note = is_selected ? *frame.selected_note : flag.notes.front();
      QString text = shown(frame.notes[note].text);
      if (flag.notes.size() > 1) {
        text.prepend(QStringLiteral("%1: ").arg(flag.notes.size()));
      }
      painter.setPen(QColor(text_on(fill.rgb())));
      const QRectF inner = flag.box.adjusted(5, 0, -3, 0);
      painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                       metrics.elidedText(text, Qt::ElideRight, static_cast<int>(inner.width())));
    } else {
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(Qt::NoPen);
      painter.setBrush(fill);
      const QRectF& box = flag.box;
      painter.drawPolygon(
          QPolygonF({box.topLeft(), {box.right(), box.center().y()}, box.bottomLeft()}));
      painter.setRenderHint(QPainter::Antialiasing, false);
    }
  }
  draw_on_lanes(painter, frame, colour);
}

}  // namespace aftershock::gui
