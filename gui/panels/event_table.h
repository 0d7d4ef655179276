#pragma once

#include <QWidget>
#include <optional>
#include <string>

#include "gui/panels/place.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace aftershock::gui {

class EventModel;

/// The table of all events, with a field and a list to choose among them.
class EventTable : public QWidget {
  Q_OBJECT

 public:
  explicit EventTable(QWidget* parent = nullptr);

  /// Of which run; read when the table is first seen. The trace stays as it is until the next call.
  /// Null: none. Of the same trace the current row stays.
  void set_run(const Trace* trace, const std::string& path);
  /// The trace of the run has more in it.
  void grow();
  [[nodiscard]] const Trace* trace() const { return trace_; }
  /// Makes the row current whose time is nearest; `place_chosen` is silent meanwhile.
  void select_nearest(std::int64_t t_us);
  /// Goes to the next row that is shown, or the one before: go_to tells which.
  void step(int by);
  /// Shows only what has these words.
  void set_filter(const QString& text);
  [[nodiscard]] EventModel& model() { return *model_; }
  /// Where text is typed to choose; e.g. for the action that searches.
  [[nodiscard]] QLineEdit& field() { return *field_; }
  [[nodiscard]] QTableView& table() { return *table_; }

 Q_SIGNALS:
  /// The user moved to a row: for the inspector.
  void place_chosen(const aftershock::gui::Place& place);
  /// The user wants to see it in the timeline: Enter, or a double click.
  void go_to(const aftershock::gui::Place& place);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void choose();
  void read();
  /// Silently; none below 0.
  void make_current(int row);
  void tell_count();

  EventModel* model_;
  QLineEdit* field_;
  QComboBox* kinds_;
  QLabel* count_;
  QTableView* table_;
  const Trace* trace_ = nullptr;
  std::string path_;
  bool to_read_ = false;
  bool to_grow_ = false;
  std::optional<Place> current_;  ///< goes back to it when the run was read
  bool silent_ = false;
};

}  // namespace aftershock::gui
