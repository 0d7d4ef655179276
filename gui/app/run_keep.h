#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <optional>

#include "gui/sidecar/notes_model.h"
#include "gui/sidecar/sidecar.h"

namespace aftershock::gui {

class RunSession;
class Timeline;

/// Whether anything is read from sidecars and written to them.
enum class Keeping : std::uint8_t { kNothing, kAll };

/// The keeper of the run that a timeline shows: read when its header is there, put back when all of
/// it is, saved when it changes and when the timeline leaves the run. One for each run that is open
/// at a time.
///
/// What a user may rely on:
/// - Notes, bookmarks and places are saved at once, the view a few seconds after its last change.
/// - Of a recording that nobody has changed anything about, nothing is written at all. Where only
///   the view was moved it is kept in the user's data folder: looking at recordings leaves no files
///   beside them. The first note, bookmark, place, pin or hidden lane makes the file beside the
///   recording, and from then on all of it is there.
/// - A folder that cannot be written to is fine: the data folder takes its place. Only where
///   that cannot be written to either is there a word, once.
/// - A sidecar that cannot be read is told of once the run has been read, and is set aside before
///   anything is written there.
/// - What another window has kept of the same run meanwhile is kept, too.
class RunKeep : public QObject {
  Q_OBJECT

 public:
  /// `timeline` outlives it.
  RunKeep(Timeline& timeline, Keeping keeping, QObject* parent = nullptr);

  /// The timeline shows another run now, or none. `recording` is its path; empty: it will not stay.
  void open(const QString& recording);
  /// All of the run has been read: goes back to how it was left, unless somebody has moved
  /// something meanwhile. Without `with_place` what is in view stays.
  void restore(bool with_place);
  /// Writes what has changed.
  void save();

  [[nodiscard]] Timeline& timeline() const { return timeline_; }
  /// Null where nothing is open.
  [[nodiscard]] RunSession* session() const;
  [[nodiscard]] NotesModel& notes() { return notes_; }
  /// The place of a digit from 1 to 9.
  void store_place(int digit, const SavedView& view);
  [[nodiscard]] std::optional<SavedView> place(int digit) const;

 Q_SIGNALS:
  /// Something of what was kept cannot be read, or cannot be kept.
  void failed(const QString& word);

 private:
  void load();
  [[nodiscard]] Sidecar now() const;

  Timeline& timeline_;
  Keeping keeping_;
  QString recording_;
  QString key_;  ///< empty until the header is there
  bool is_restored_ = false;
  bool has_complained_ = false;
  QString problem_;  ///< of the file; told when the run has been read
  NotesModel notes_;
  Sidecar kept_;  ///< but for notes and bookmarks
  Sidecar base_;  ///< as it is in the file, or would be if something were
  QTimer timer_;
};

}  // namespace aftershock::gui
