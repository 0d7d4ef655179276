#include "gui/panels/ledger_bars.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/bar_delegate.h"
#include "gui/panels/event_words.h"
#include "gui/panels/row_space.h"
#include "gui/why/range_times.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

constexpr std::array kLedgerTitles{"Where time went", "", "Share", "Time"};

Kind kind_named(std::string_view bucket) {
  const auto found = std::ranges::find(kKindNames, bucket);
  return found == kKindNames.end() ? Kind::kOther : static_cast<Kind>(found - kKindNames.begin());
}

}  // namespace

void LedgerModel::set_times(BucketTimes times) {
  beginResetModel();
  // Only a file that no run wrote has others.
  std::erase_if(times, [](const auto& each) { return each.second <= 0; });
  std::int64_t sum = 0;
  std::vector<std::int64_t> parts;
  for (auto& [bucket, us] : times) {
    us = std::min(us, kOpen - sum);
    sum += us;
    parts.push_back(us);
  }
  // In the ledger's own order, in which the run's summary has the same shares.
  const std::vector<std::string> shares = reports::format_shares(parts);
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return parts[i]; });
  times_.clear();
  shares_.clear();
  sum_us_ = sum;
  for (const std::size_t i : order) {
    times_.push_back(std::move(times[i]));
    shares_.push_back(shares[i]);
  }
  endResetModel();
}

int LedgerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(times_.size());
}

int LedgerModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant LedgerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const auto row = static_cast<std::size_t>(index.row());
  const auto& [bucket, us] = times_.at(row);
  if (role == kBarPart) {
    return static_cast<double>(us) / static_cast<double>(sum_us_);
  }
  if (role == kBarKind) {
    return static_cast<int>(kind_named(bucket));
  }
  if (role == Qt::TextAlignmentRole && (index.column() == kShare || index.column() == kTime)) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  switch (index.column()) {
    case kBucket:
      return shown_text(bucket).replace(u'_', u' ');
    case kShare:
      return QString::fromStdString(shares_.at(row));
    case kTime:
      return time_words(us);
    default:
      return {};
  }
}

QVariant LedgerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
      section >= kColumns) {
    return {};
  }
  return tr(kLedgerTitles.at(static_cast<std::size_t>(section)));
}

LedgerBars::LedgerBars(QWidget* parent)
    : QWidget(parent),
      model_(new LedgerModel(this)),
      jobs_(new QComboBox(this)),
      what_(new QLabel(this)),
      table_(new QTableView(this)) {
  jobs_->setAccessibleName(tr("Ledger of"));
  what_->setTextFormat(Qt::PlainText);
  what_->setAccessibleName(tr("Of which time"));
  table_->setModel(model_);
  table_->setItemDelegateForColumn(LedgerModel::kBar, new BarDelegate(table_));
  table_->setAccessibleName(tr("Where time went"));
  name_inner_buttons(*table_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + kRowSpace);
  QHeaderView& header = *table_->horizontalHeader();
  header.setHighlightSections(false);
  header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header.setSectionResizeMode(QHeaderView::ResizeToContents);
  header.setSectionResizeMode(LedgerModel::kBar, QHeaderView::Stretch);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(jobs_);
  layout->addWidget(what_);
  layout->addWidget(table_);
  connect(jobs_, &QComboBox::currentIndexChanged, this, &LedgerBars::update_times);
  update_times();
}

void LedgerBars::set_run(const Trace* trace) {
  const bool same = trace != nullptr && trace == trace_;
  const QVariant job = jobs_->currentData();
  trace_ = trace;
  if (!same) {
    range_us_.reset();
  }
  accounts_ = trace == nullptr ? std::vector<Account>() : accounts_so_far(*trace);
  const QSignalBlocker blocker(jobs_);
  jobs_->clear();
  for (const Account& account : accounts_) {
    jobs_->addItem(shown_text(trace->entities[account.entity]), account.entity);
  }
  if (const int before = same ? jobs_->findData(job) : -1; before >= 0) {
    jobs_->setCurrentIndex(before);
  }
  update_times();
}

void LedgerBars::set_range(std::optional<std::pair<std::int64_t, std::int64_t>> range_us) {
  range_us_ = range_us;
  update_times();
}

void LedgerBars::show_entity(std::uint32_t entity) {
  const int found = jobs_->findData(entity);
  if (found >= 0) {
    jobs_->setCurrentIndex(found);
  }
}

void LedgerBars::set_theme(Theme theme) {
  auto* bars = qobject_cast<BarDelegate*>(table_->itemDelegateForColumn(LedgerModel::kBar));
  bars->set_theme(theme);
  table_->viewport()->update();
}

void LedgerBars::update_times() {
  const int job = jobs_->currentIndex();
  jobs_->setVisible(jobs_->count() > 0);
  if (trace_ == nullptr || job < 0) {
    what_->setText(trace_ == nullptr ? tr("Nothing is open.") : tr("No job has an account."));
    model_->set_times({});
    return;
  }
  const Account& account = accounts_.at(static_cast<std::size_t>(job));
  what_->setText(
      range_us_
          ? tr("From %1 to %2").arg(time_words(range_us_->first), time_words(range_us_->second))
      : account.is_closed
          ? tr("The whole run")
          : tr("Up to %1, as far as it was recorded").arg(time_words(trace_->last_us)));
  model_->set_times(range_us_ ? range_times(*trace_, account, range_us_->first, range_us_->second)
                              : account.us);
}

}  // namespace aftershock::gui
