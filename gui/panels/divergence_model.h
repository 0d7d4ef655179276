#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "reports/compare/divergence.h"

namespace aftershock::gui {

/// Where the policies of two runs part, in the order of time. The two answers take a line each.
class DivergenceModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kTime, kFault, kJob, kA, kB, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all.
  void set_divergences(std::vector<reports::Divergence> divergences);
  [[nodiscard]] const std::vector<reports::Divergence>& divergences() const { return divergences_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  std::vector<reports::Divergence> divergences_;
};

}  // namespace aftershock::gui
