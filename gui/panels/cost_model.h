#pragma once

#include <QAbstractTableModel>
#include <cstddef>
#include <vector>

#include "gui/compare/cost_lines.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

/// The costs of two runs, beside each other. Headlines stay on top, however it is sorted.
class CostModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kEntity, kWhat, kA, kB, kDifference, kPercent, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all; the largest differences of each job first.
  void set_lines(std::vector<CostLine> lines);
  void set_theme(Theme theme);
  /// Where there is no room for the last column, what it says is a second line of the one before.
  void set_narrow(bool narrow);
  /// Whether it is about more than one job or experiment.
  [[nodiscard]] bool has_entities() const;
  /// The line of a row.
  [[nodiscard]] const CostLine& line(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  std::vector<CostLine> lines_;
  std::vector<std::size_t> order_;  ///< of `lines_`, by row
  Theme theme_ = Theme::kDark;
  bool narrow_ = false;
};

}  // namespace aftershock::gui
