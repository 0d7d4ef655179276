#pragma once

#include <QAbstractTableModel>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/theme/theme.h"
#include "gui/why/accounts.h"

class QComboBox;
class QLabel;
class QTableView;

namespace aftershock::gui {

/// Where time went as a table: bucket, a bar, share, time.
class LedgerModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// Columns, in their order.
  enum Column { kBucket, kBar, kShare, kTime, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Replaces all, the longest first.
  void set_times(BucketTimes times);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  BucketTimes times_;
  std::vector<std::string> shares_;  ///< of all of it, as the run's summary has them
  std::int64_t sum_us_ = 0;
};

/// The ledger of one job or experiment as bars: of the whole run, or of a stretch of time.
class LedgerBars : public QWidget {
  Q_OBJECT

 public:
  explicit LedgerBars(QWidget* parent = nullptr);

  /// Of which run; the trace stays as it is until the next call. Null: none. Of the same trace the
  /// job and the stretch of time stay. A job that is not over yet has an account up to the last
  /// record.
  void set_run(const Trace* trace);
  /// Only what lies in [first, second); none: the whole run, as its ledger has it.
  void set_range(std::optional<std::pair<std::int64_t, std::int64_t>> range_us);
  /// Shows the ledger of this job or experiment, if there is one.
  void show_entity(std::uint32_t entity);
  /// Colours of the bars.
  void set_theme(Theme theme);
  [[nodiscard]] const LedgerModel& model() const { return *model_; }
  [[nodiscard]] QTableView& table() { return *table_; }

 private:
  void update_times();

  LedgerModel* model_;
  QComboBox* jobs_;
  QLabel* what_;
  QTableView* table_;
  const Trace* trace_ = nullptr;
  std::vector<Account> accounts_;
  std::optional<std::pair<std::int64_t, std::int64_t>> range_us_;
};

}  // namespace aftershock::gui
