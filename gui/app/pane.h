#pragma once

#include <QString>
#include <QWidget>
#include <memory>

#include "gui/session/run_session.h"
#include "gui/theme/theme.h"
#include "gui/timeline/timeline.h"

class QLabel;

namespace aftershock::gui {

/// The place of one run in the window: reads its recording and shows it as a timeline, below its
/// name where there are two.
class Pane : public QWidget {
  Q_OBJECT

 public:
  explicit Pane(QWidget* parent = nullptr);
  ~Pane() override;

  [[nodiscard]] Timeline& timeline() { return *timeline_; }
  /// Null where nothing is open.
  [[nodiscard]] RunSession* session() { return session_.get(); }
  /// Whether all of a recording is there.
  [[nodiscard]] bool is_ready() const { return session_ != nullptr && !session_->is_reading(); }

  /// Reads a recording; the one that is open already is shown where it was. `growing`: it is still
  /// being written.
  void open(const QString& path, bool growing);
  void close();
  /// The run's letter and name; an empty letter hides both.
  void set_title(const QString& letter, const QString& name);
  /// Whether keys and panels are about this run, which shows where it has a title.
  void set_at_hand(bool on);
  void set_theme(Theme theme);
  /// Shows a widget above the run's name, which becomes this one's.
  void set_header(QWidget* header);
  /// Where time is shown: what is left and right of it, in logical pixels of the pane.
  [[nodiscard]] int left_px() const;
  [[nodiscard]] int right_px() const;

 Q_SIGNALS:
  /// Another recording is being read, or none is open any more.
  void opened();
  /// All has been read, and the view is where it should be.
  void finished();
  /// The recording is wrong, by these words.
  void failed(const QString& word);

 private:
  void show_title();

  QLabel* title_;
  Timeline* timeline_;
  QString letter_;
  QString name_;
  bool at_hand_ = false;
  Theme theme_ = Theme::kDark;
  std::unique_ptr<RunSession> session_;
};

}  // namespace aftershock::gui
