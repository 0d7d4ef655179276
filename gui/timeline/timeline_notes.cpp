#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "gui/timeline/layout.h"
#include "gui/timeline/timeline.h"

// Notes as a timeline shows them, and the state that is kept of it besides its own.
namespace aftershock::gui {

void Timeline::set_notes(std::vector<NoteMark> notes, std::optional<std::size_t> selected) {
  if (notes == notes_ && selected == selected_note_) {
    return;
  }
  notes_ = std::move(notes);
  note_index_ = make_note_index(notes_);
  selected_note_ = selected;
  place_scrollbar();
  redraw();
}

bool Timeline::press_note(const QPoint& at) {
  if (notes_.empty()) {
    return false;
  }
  const Frame frame = frame_now();
  const auto note = note_at(frame, note_flags(frame), at);
  if (note) {
    Q_EMIT note_clicked(static_cast<int>(*note));
  }
  return note.has_value();
}

QString Timeline::note_text_at(const QPoint& at) {
  if (notes_.empty()) {
    return {};
  }
  const Frame frame = frame_now();
  const std::vector<NoteFlag> flags = note_flags(frame);
  for (const NoteFlag& flag : flags) {
    if (flag.box.contains(at)) {
      return flag_text(notes_, flag);
    }
  }
  const auto note = note_at(frame, flags, at);
  return note ? flag_text(notes_, {.first = *note, .last = *note + 1}) : QString();
}

void Timeline::set_row_px(int px) {
  row_px_ = px <= 0 ? 0 : std::clamp(px, kLowestRow_px, kHighestRow_px);
  place_scrollbar();
  redraw();
}

}  // namespace aftershock::gui
