#include "gui/panels/fault_table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

#include "gui/panels/event_words.h"
#include "gui/panels/fault_model.h"
#include "gui/panels/row_space.h"
#include "gui/panels/sorted_table.h"

namespace aftershock::gui {

FaultTable::FaultTable(QWidget* parent)
    : QWidget(parent),
      model_(new FaultModel(this)),
      shown_(new QSortFilterProxyModel(this)),
      kinds_(new QComboBox(this)),
      count_(new QLabel(this)),
      table_(new QTableView(this)) {
  kinds_->setAccessibleName(tr("Show only faults of this kind"));
  kinds_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  count_->setAccessibleName(tr("Faults that are shown, and their cost"));
  shown_->setSourceModel(model_);
  shown_->setSortRole(FaultModel::kSortRole);
  shown_->setFilterRole(FaultModel::kKindRole);
  shown_->setFilterKeyColumn(FaultModel::kKind);
  table_->setModel(shown_);
  table_->setAccessibleName(tr("Faults by cost"));
  make_sorted(*table_, FaultModel::kCost);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, kRowSpace, 0);
  row->addWidget(kinds_);
  row->addWidget(count_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(row);
  layout->addWidget(table_);
  connect(kinds_, &QComboBox::currentIndexChanged, this, &FaultTable::choose);
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { Q_EMIT go_to(place_at(index)); });
  // Also on the row that is the current one already.
  connect(table_, &QTableView::clicked, this,
          [this](const QModelIndex& index) { Q_EMIT place_chosen(place_at(index)); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) {
              Q_EMIT place_chosen(place_at(now));
            }
          });
  tell_count();
}

void FaultTable::set_run(const Trace* trace) {
  // The model's references must not outlive the trace.
  model_->set_run(nullptr, {});
  trace_ = trace;
  to_read_ = true;
  if (isVisible()) {
    read();
  }
  tell_count();
}

void FaultTable::read() {
  if (!std::exchange(to_read_, false)) {
    return;
  }
  shown_->setFilterRegularExpression(QString());
  model_->set_run(trace_, trace_ == nullptr ? std::vector<Account>() : accounts_of(*trace_));
  const QSignalBlocker blocker(kinds_);
  kinds_->clear();
  kinds_->addItem(tr("All kinds"), kNoText);
  for (const auto& [kind, count] : model_->kinds()) {
    kinds_->addItem(QStringLiteral("%1 (%2)")
                        .arg(shown_text(trace_->texts[kind]).replace(u'_', u' '))
                        .arg(count),
                    kind);
  }
  table_->resizeColumnsToContents();
  tell_count();
}

void FaultTable::showEvent(QShowEvent* event) {
  read();
  QWidget::showEvent(event);
}

Place FaultTable::place_at(const QModelIndex& index) const {
  const int row = shown_->mapToSource(index).row();
  return place_of_fault(*trace_, static_cast<std::uint32_t>(row));
}

void FaultTable::choose() {
  const TextId kind = kinds_->currentData().toUInt();
  shown_->setFilterRegularExpression(kind == kNoText ? QString()
                                                     : QStringLiteral("^%1$").arg(kind));
  tell_count();
}

QString FaultTable::count() const { return count_->text(); }

void FaultTable::tell_count() {
  const int rows = shown_->rowCount();
  std::int64_t cost_us = 0;
  for (int row = 0; row < rows; ++row) {
    const int fault = shown_->mapToSource(shown_->index(row, 0)).row();
    const std::int64_t us = model_->bills()[static_cast<std::size_t>(fault)].cost_us;
    if (__builtin_add_overflow(cost_us, us, &cost_us)) {
      cost_us = kOpen;
    }
  }
  const QString cost = trace_ == nullptr || trace_->ledgers.empty()
                           ? tr("costs are told at the end of the run")
                           : tr("cost %1").arg(time_words(cost_us));
  count_->setText(rows == 1 ? tr("1 fault, %1").arg(cost)
                            : tr("%1 faults, %2").arg(QLocale::c().toString(rows), cost));
}

}  // namespace aftershock::gui
