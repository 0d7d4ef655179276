#pragma once

#include <QAbstractTableModel>
#include <cstddef>
#include <utility>
#include <vector>

#include "gui/why/fault_bills.h"

namespace aftershock::gui {

/// All faults of a run with their costs, in the order of their time.
class FaultModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column {
    kCost,
    kKind,
    kTime,
    kFault,
    kTarget,
    kMostly,
    kLost,
    kDetected,
    kRunning,
    kDecisions,
    kColumns
  };
  /// The value that a cell is sorted by: a number, or a text; and the number of the fault's kind.
  enum Role { kSortRole = Qt::UserRole, kKindRole };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all; the trace stays as it is until the next call. Null: none.
  void set_run(const Trace* trace, const std::vector<Account>& accounts);
  /// By row; rows are numbered as the trace's faults.
  [[nodiscard]] const std::vector<FaultBill>& bills() const { return all_.bills; }
  /// The kinds that there are, and how many faults of each; the most frequent first.
  [[nodiscard]] std::vector<std::pair<TextId, std::size_t>> kinds() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QString text(const FaultBill& bill, int column) const;
  [[nodiscard]] QVariant sort_value(const FaultBill& bill, int column) const;

  const Trace* trace_ = nullptr;
  FaultBills all_;
};

}  // namespace aftershock::gui
