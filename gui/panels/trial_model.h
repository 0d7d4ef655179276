#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "gui/why/trials.h"

namespace aftershock::gui {

/// The trials of a run's experiments and how they ended, in the order of the summary.
class TrialModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column {
    kTrial,
    kStatus,
    kFailures,
    kRestores,
    kLost,
    kIterations,
    kId,
    kExperiment,
    kColumns
  };
  /// The value that a cell is sorted by: a number, or a text.
  enum Role { kSortRole = Qt::UserRole };

  using QAbstractTableModel::QAbstractTableModel;

  void set_trials(std::vector<TrialEnd> trials);
  /// By row.
  [[nodiscard]] const std::vector<TrialEnd>& trials() const { return trials_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  std::vector<TrialEnd> trials_;
};

}  // namespace aftershock::gui
