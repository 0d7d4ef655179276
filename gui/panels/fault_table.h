#pragma once

#include <QWidget>

#include "gui/panels/place.h"
#include "gui/why/accounts.h"

class QComboBox;
class QLabel;
class QModelIndex;
class QSortFilterProxyModel;
class QTableView;

namespace aftershock::gui {

class FaultModel;

/// The table of all faults by cost, with a list of their kinds to choose among.
class FaultTable : public QWidget {
  Q_OBJECT

 public:
  explicit FaultTable(QWidget* parent = nullptr);

  /// Of which run; looked at when the table is first seen. The trace stays as it is until the next
  /// call. Null: none.
  void set_run(const Trace* trace);
  /// The faults that are shown, as they are sorted: columns are those of FaultModel.
  [[nodiscard]] QSortFilterProxyModel& shown() { return *shown_; }
  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] QComboBox& kinds() { return *kinds_; }
  /// How many faults are shown, and their cost, in words.
  [[nodiscard]] QString count() const;

 Q_SIGNALS:
  /// The user moved to a row: for the inspector.
  void place_chosen(const aftershock::gui::Place& place);
  /// The user wants to see it in the timeline: Enter, or a double click.
  void go_to(const aftershock::gui::Place& place);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void read();
  void choose();
  void tell_count();
  [[nodiscard]] Place place_at(const QModelIndex& index) const;

  FaultModel* model_;
  QSortFilterProxyModel* shown_;
  QComboBox* kinds_;
  QLabel* count_;
  QTableView* table_;
  const Trace* trace_ = nullptr;
  bool to_read_ = false;
};

}  // namespace aftershock::gui
