#include "gui/panels/trial_model.h"

#include <array>
#include <utility>

#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

constexpr std::array<const char*, TrialModel::kColumns> kTrialTitles{
    "Trial", "Status", "Failures", "Restores", "Work lost", "Iterations", "Id", "Experiment"};

bool is_text(int column) {
  return column == TrialModel::kStatus || column == TrialModel::kId ||
         column == TrialModel::kExperiment;
}

QString trial_text(const TrialEnd& trial, int column) {
  switch (column) {
    case TrialModel::kStatus:
      return shown_text(trial.status);
    case TrialModel::kId:
      return shown_text(trial.id);
    default:
      return shown_text(trial.experiment);
  }
}

qlonglong trial_number(const TrialEnd& trial, int column) {
  switch (column) {
    case TrialModel::kTrial:
      return trial.number;
    case TrialModel::kFailures:
      return trial.failures;
    case TrialModel::kRestores:
      return trial.restores;
    case TrialModel::kLost:
      return trial.lost_us;
    default:
      return trial.iterations;
  }
}

}  // namespace

void TrialModel::set_trials(std::vector<TrialEnd> trials) {
  beginResetModel();
  trials_ = std::move(trials);
  endResetModel();
}

int TrialModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(trials_.size());
}

int TrialModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant TrialModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const TrialEnd& trial = trials_.at(static_cast<std::size_t>(index.row()));
  const int column = index.column();
  if (role == Qt::TextAlignmentRole && !is_text(column)) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == kSortRole || (role == Qt::DisplayRole && is_text(column))) {
    return is_text(column) ? QVariant(trial_text(trial, column))
                           : QVariant(trial_number(trial, column));
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  return column == kLost ? time_words(trial.lost_us) : QString::number(trial_number(trial, column));
}

QVariant TrialModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) {
    return {};
  }
  if (role == Qt::TextAlignmentRole && !is_text(section)) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  return role == Qt::DisplayRole ? QVariant(tr(kTrialTitles.at(static_cast<std::size_t>(section))))
                                 : QVariant();
}

}  // namespace aftershock::gui
