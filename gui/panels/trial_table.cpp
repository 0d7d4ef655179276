#include "gui/panels/trial_table.h"

#include <QLabel>
#include <QLocale>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/panels/sorted_table.h"
#include "gui/panels/trial_model.h"

namespace aftershock::gui {

TrialTable::TrialTable(QWidget* parent)
    : QWidget(parent),
      model_(new TrialModel(this)),
      shown_(new QSortFilterProxyModel(this)),
      count_(new QLabel(this)),
      table_(new QTableView(this)) {
  count_->setAccessibleName(tr("Trials, and those that failed"));
  shown_->setSourceModel(model_);
  shown_->setSortRole(TrialModel::kSortRole);
  table_->setModel(shown_);
  table_->setAccessibleName(tr("Trials"));
  make_sorted(*table_, TrialModel::kFailures);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(count_);
  layout->addWidget(table_);
  // The row that the keyboard comes to leads nowhere by itself: the timeline would lose its place.
  for (const auto signal : {&QTableView::clicked, &QTableView::activated}) {
    connect(table_, signal, this, [this](const QModelIndex& index) {
      const int row = shown_->mapToSource(index).row();
      const TrialEnd& trial = model_->trials().at(static_cast<std::size_t>(row));
      Q_EMIT lane_chosen(QStringLiteral("experiment:%1/trial:%2")
                             .arg(QString::fromStdString(trial.experiment))
                             .arg(trial.number));
    });
  }
  set_run(nullptr);
}

void TrialTable::set_run(const Trace* trace) {
  model_->set_trials(trace == nullptr ? std::vector<TrialEnd>() : trial_ends(*trace));
  const auto failed = std::ranges::count_if(
      model_->trials(), [](const TrialEnd& trial) { return trial.failures > 0; });
  const auto number = [](std::ptrdiff_t count) { return QLocale::c().toString(qlonglong{count}); };
  count_->setText(model_->trials().empty()
                      ? tr("No trials are told of.")
                      : tr("%1 trials, %2 with failures")
                            .arg(number(std::ssize(model_->trials())), number(failed)));
  table_->resizeColumnsToContents();
}

}  // namespace aftershock::gui
