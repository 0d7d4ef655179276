#pragma once

#include <QPoint>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gui/lanes/lane_key.h"

namespace aftershock::gui {

struct Frame;

/// A note as a timeline shows it.
struct NoteMark {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;                     ///< behind begin_us for a note on a range
  std::optional<LaneKey> lane = std::nullopt;  ///< that it is about
  QString text = {};                           ///< as it was typed, or found in a file

  friend bool operator==(const NoteMark&, const NoteMark&) = default;
};

/// The index that makes many notes quick to draw: a frame takes time for its pixels, not for the
/// notes.
struct NoteIndex {
  std::vector<std::int64_t> latest_end_us;  ///< for each note, of the ranges up to it
  /// Those about a lane, by lane and time, and of each the latest end of the lane's up to it.
  std::vector<std::uint32_t> by_lane;
  std::vector<std::int64_t> lane_latest_us;
};
/// For notes in the order of time.
NoteIndex make_note_index(std::span<const NoteMark> notes);

/// Where a flag of the ruler is: of one note, or of several that are too close to be told apart.
struct NoteFlag {
  QRectF box = {};  ///< in logical pixels of the viewport
  std::vector<std::size_t> earlier =
      {};                 ///< ranges that began before what is in view, and reach in
  std::size_t first = 0;  ///< of those that begin in view ...
  std::size_t last = 0;   ///< ... and behind the last of them
  bool has_text = false;  ///< there is room for some of it

  /// How many notes it is of.
  [[nodiscard]] std::size_t count() const { return earlier.size() + last - first; }
  /// The number of the i-th of its notes.
  [[nodiscard]] std::size_t note(std::size_t i) const {
    return i < earlier.size() ? earlier[i] : first + (i - earlier.size());
  }
  /// Which of its notes that is; none of them.
  [[nodiscard]] std::optional<std::size_t> place_of(std::size_t note) const;
};

/// The flags of the notes in view, from the left. Those of ranges that began before stand at the
/// left edge.
std::vector<NoteFlag> note_flags(const Frame& frame);

/// The number of the note whose flag or bar is there: of a flag of several the one behind
/// `selected`, so that each click goes on to the next.
std::optional<std::size_t> note_at(const Frame& frame, std::span<const NoteFlag> flags, QPoint at);

/// The texts of a flag for a tooltip, as lines of plain text.
QString flag_text(std::span<const NoteMark> notes, const NoteFlag& flag);

}  // namespace aftershock::gui
