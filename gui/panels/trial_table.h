#pragma once

#include <QString>
#include <QWidget>

#include "gui/trace/trace.h"

class QLabel;
class QModelIndex;
class QSortFilterProxyModel;
class QTableView;

namespace aftershock::gui {

class TrialModel;

/// The table of all trials, those with the most failures first.
class TrialTable : public QWidget {
  Q_OBJECT

 public:
  explicit TrialTable(QWidget* parent = nullptr);

  /// Of which run, all of which has been read. Null: none.
  void set_run(const Trace* trace);
  /// The trials as they are sorted: columns are those of TrialModel.
  [[nodiscard]] QSortFilterProxyModel& shown() { return *shown_; }
  [[nodiscard]] QTableView& table() { return *table_; }

 Q_SIGNALS:
  /// The user clicked on a trial, or pressed Enter: the name of its lane.
  void lane_chosen(const QString& name);

 private:
  TrialModel* model_;
  QSortFilterProxyModel* shown_;
  QLabel* count_;
  QTableView* table_;
};

}  // namespace aftershock::gui
