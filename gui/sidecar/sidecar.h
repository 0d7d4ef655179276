#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace aftershock::gui {

/// A place in a recording. Times are microseconds since the start of the run.
struct SavedView {
  std::int64_t begin_us = 0;  ///< the view's range
  std::int64_t end_us = 0;
  std::int64_t cursor_us = 0;
  QString lane = {};  ///< that the keyboard is on; empty where it does not matter
  QString top = {};   ///< that stands at the top; empty where it does not matter

  bool operator==(const SavedView&) const = default;
};

/// A note of a user on a time, or on a range of it.
struct Note {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;  ///< equal to begin_us on one time
  QString lane = {};        ///< empty on all lanes
  QString text = {};

  bool operator==(const Note&) const = default;
};

/// A place that somebody wants to come back to.
struct Bookmark {
  QString name;
  SavedView view;

  bool operator==(const Bookmark&) const = default;
};

/// The user's additions to a run and the way it was left; kept beside the recording, which is never
/// written to.
struct Sidecar {
  std::vector<Note> notes = {};
  std::vector<Bookmark> bookmarks = {};
  std::map<int, SavedView> slots_by_digit = {};  ///< from 1 to 9
  std::optional<SavedView> view = {};
  int lane_height = 0;  ///< in logical pixels; 0 for the usual one
  QStringList pins = {};
  QStringList hidden = {};
  /// Groups of lanes that stand open; behind a "*" all do but those named, and runs of nodes that
  /// nothing is recorded of only where they are named. Goes with `view`.
  QStringList expanded = {};
  QJsonObject others = {};  ///< members that a later version of this program wrote

  bool operator==(const Sidecar&) const = default;
};

/// Its JSON form. Members in `others` are in it as they are.
QJsonObject to_json(const Sidecar& sidecar);
/// The other way; what has another form than it should is left out, and `problem` gets a word about
/// the first.
Sidecar sidecar_of(const QJsonObject& json, QString& problem);

/// Whether there is something in it that somebody made by hand and would miss: all but how the run
/// was last looked at.
bool has_handiwork(const Sidecar& sidecar);

/// `mine`, and what others have added to `theirs` and taken from it since both were `base`: of
/// notes, bookmarks, places and members of later versions. How a run was left is as in `mine`.
Sidecar merged(const Sidecar& base, Sidecar mine, const Sidecar& theirs);

}  // namespace aftershock::gui
