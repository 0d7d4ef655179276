#pragma once

#include <QAbstractTableModel>
#include <QDialog>
#include <vector>

#include "gui/actions/action.h"

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace aftershock::gui {

class ActionSet;

/// The keyboard map as a table: keys, action, what it does, where the keys act, menu. Actions that
/// nobody handles are left out, those without keys are not.
class KeyModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit KeyModel(const ActionSet& actions, QObject* parent = nullptr);

  /// Looks again at what is handled.
  void refresh();

  [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  const ActionSet& actions_;
  std::vector<const ActionSpec*> rows_;
};

/// The sheet of keys that `?` opens: a table that can be searched and read aloud.
class KeySheet : public QDialog {
  Q_OBJECT

 public:
  /// For the actions of a window, which becomes its parent.
  KeySheet(const ActionSet& actions, QWidget* window);

  /// Opens it, or brings it forward.
  void show_keys();

 private:
  KeyModel* model_;
  QSortFilterProxyModel* filter_;
  QLineEdit* field_;
  QTableView* table_;
};

}  // namespace aftershock::gui
