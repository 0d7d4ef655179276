#pragma once

#include <QAbstractTableModel>
#include <QWidget>
#include <vector>

#include "gui/panels/place.h"
#include "gui/theme/theme.h"
#include "gui/why/charges.h"

class QLabel;
class QTableView;

namespace aftershock::gui {

class BudgetPlot;

/// Every move of every budget as a table.
class BudgetModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kTime, kLane, kBudget, kUsed, kLimit, kCause, kCounts, kRule, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all; the trace stays as it is until the next call.
  void set_moves(const Trace* trace, std::vector<Charge> moves);
  [[nodiscard]] const std::vector<Charge>& moves() const { return moves_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  const Trace* trace_ = nullptr;
  std::vector<Charge> moves_;
};

/// Retry budgets over time, as steps and as a table.
class BudgetPanel : public QWidget {
  Q_OBJECT

 public:
  explicit BudgetPanel(QWidget* parent = nullptr);

  /// The moves to show, of which run, whose trace lives until the next call. Null: none.
  void set_moves(const Trace* trace, std::vector<Charge> moves);
  /// Colours of the steps.
  void set_theme(Theme theme);
  [[nodiscard]] BudgetModel& model() { return *model_; }
  [[nodiscard]] BudgetPlot& plot() { return *plot_; }

 Q_SIGNALS:
  /// The user wants to see the decision that moved a budget.
  void go_to(const aftershock::gui::Place& place);

 private:
  void go_to_move(int move);

  BudgetModel* model_;
  BudgetPlot* plot_;
  QTableView* table_;
  QLabel* nothing_;
  const Trace* trace_ = nullptr;
};

}  // namespace aftershock::gui
