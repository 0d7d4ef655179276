#include "gui/panels/fault_model.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

constexpr std::array<const char*, FaultModel::kColumns> kFaultTitles{
    "Cost",   "Kind",      "Time",     "Fault",         "Target",
    "Mostly", "Work lost", "Detected", "Running again", "Decisions"};

bool is_number(int column) {
  return column == FaultModel::kCost || column == FaultModel::kLost ||
         column == FaultModel::kDecisions;
}

}  // namespace

void FaultModel::set_run(const Trace* trace, const std::vector<Account>& accounts) {
  beginResetModel();
  trace_ = trace;
  all_ = trace == nullptr ? FaultBills() : fault_bills(*trace, accounts);
  endResetModel();
}

std::vector<std::pair<TextId, std::size_t>> FaultModel::kinds() const {
  std::map<TextId, std::size_t> counts;
  for (const FaultBill& bill : all_.bills) {
    ++counts[trace_->faults[bill.fault].kind];
  }
  std::vector<std::pair<TextId, std::size_t>> kinds(counts.begin(), counts.end());
  std::ranges::stable_sort(kinds, std::ranges::greater(), &std::pair<TextId, std::size_t>::second);
  return kinds;
}

int FaultModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(all_.bills.size());
}

int FaultModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString FaultModel::text(const FaultBill& bill, int column) const {
  const Fault& fault = trace_->faults[bill.fault];
  const auto told = [](const std::optional<std::int64_t>& t_us) {
    return t_us ? time_words(*t_us) : QString();
  };
  switch (column) {
    case kCost:
      return !fault.fired              ? tr("masked")
             : trace_->ledgers.empty() ? tr("not known yet")
                                       : time_words(bill.cost_us);
    case kKind:
      return shown_text(trace_->texts[fault.kind]).replace(u'_', u' ');
    case kTime:
      return time_words(fault.t_us);
    case kFault:
      return shown_text(trace_->texts[fault.id]);
    case kTarget:
      return shown_text(trace_->texts[fault.target]);
    case kMostly:
      return shown_text(all_.buckets[bill.mostly]).replace(u'_', u' ');
    case kLost:
      return bill.lost_us == 0 ? QString() : time_words(bill.lost_us);
    case kDetected:
      return told(bill.detected_us);
    case kRunning:
      return told(bill.running_us);
    default:
      return bill.decisions == 0 ? QString() : QString::number(bill.decisions);
  }
}

/// A time that is not told comes behind those that are.
QVariant FaultModel::sort_value(const FaultBill& bill, int column) const {
  const auto number = [](std::int64_t value) { return QVariant(qlonglong{value}); };
  switch (column) {
    case kCost:
      return number(bill.cost_us);
    case kTime:
      return number(trace_->faults[bill.fault].t_us);
    case kLost:
      return number(bill.lost_us);
    case kDetected:
      return number(bill.detected_us.value_or(kOpen));
    case kRunning:
      return number(bill.running_us.value_or(kOpen));
    case kDecisions:
      return number(bill.decisions);
    default:
      return text(bill, column);
  }
}

QVariant FaultModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const FaultBill& bill = all_.bills.at(static_cast<std::size_t>(index.row()));
  switch (role) {
    case Qt::DisplayRole:
      return text(bill, index.column());
    case Qt::TextAlignmentRole:
      return is_number(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case kSortRole:
      return sort_value(bill, index.column());
    case kKindRole:
      return trace_->faults[bill.fault].kind;
    default:
      return {};
  }
}

QVariant FaultModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) {
    return {};
  }
  if (role == Qt::TextAlignmentRole && is_number(section)) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  return role == Qt::DisplayRole ? QVariant(tr(kFaultTitles.at(static_cast<std::size_t>(section))))
                                 : QVariant();
}

}  // namespace aftershock::gui
