#include "gui/panels/budget_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/budget_plot.h"
#include "gui/panels/event_words.h"
#include "gui/panels/row_space.h"

namespace aftershock::gui {

namespace {

constexpr std::array kBudgetTitles{"Time",  "Lane",  "Budget", "Used",
                                   "Limit", "Cause", "Counts", "Rule"};

}  // namespace

void BudgetModel::set_moves(const Trace* trace, std::vector<Charge> moves) {
  beginResetModel();
  trace_ = trace;
  moves_ = std::move(moves);
  endResetModel();
}

int BudgetModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(moves_.size());
}

int BudgetModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant BudgetModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || role != Qt::DisplayRole) {
    return {};
  }
  const Charge& charge = moves_.at(static_cast<std::size_t>(index.row()));
  const reports::BudgetMove& move = charge.move;
  switch (index.column()) {
    case kTime:
      return time_words(charge.t_us);
    case kLane:
      return shown_text(trace_->entities[charge.entity]);
    case kBudget:
      return shown_text(move.budget);
    case kUsed:
      return static_cast<qlonglong>(move.used);
    case kLimit:
      return move.limit ? QString::number(*move.limit) : tr("unlimited");
    case kCause:
      return shown_text(move.cause);
    case kCounts:
      return move.exhausted ? tr("exhausted") : move.charged ? tr("charged") : tr("exempt");
    default:
      return shown_text(charge.rule);
  }
}

QVariant BudgetModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
      section >= kColumns) {
    return {};
  }
  return tr(kBudgetTitles.at(static_cast<std::size_t>(section)));
}

BudgetPanel::BudgetPanel(QWidget* parent)
    : QWidget(parent),
      model_(new BudgetModel(this)),
      plot_(new BudgetPlot),
      table_(new QTableView(this)),
      nothing_(new QLabel(this)) {
  nothing_->setText(tr("No budget was charged."));
  auto* scroll = new QScrollArea;
  scroll->setAccessibleName(tr("Budgets over time"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(plot_);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Charges of budgets"));
  name_inner_buttons(*table_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + kRowSpace);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->addWidget(scroll);
  parts->addWidget(table_);
  parts->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(nothing_);
  layout->addWidget(parts);
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { go_to_move(index.row()); });
  connect(plot_, &BudgetPlot::move_clicked, this, [this](int move) {
    table_->setCurrentIndex(model_->index(move, 0));
    go_to_move(move);
  });
}

void BudgetPanel::set_moves(const Trace* trace, std::vector<Charge> moves) {
  const QModelIndex current = table_->currentIndex();
  plot_->set_moves(nullptr, nullptr, 1);
  // Of a run that grows, what was chosen stays: moves are only added.
  const int row = trace == trace_ ? current.row() : -1;
  trace_ = trace;
  model_->set_moves(trace, std::move(moves));
  if (trace_ != nullptr) {
    plot_->set_moves(trace_, &model_->moves(), trace_->last_us);
  }
  nothing_->setVisible(model_->rowCount() == 0);
  table_->resizeColumnsToContents();
  if (row >= 0 && row < model_->rowCount()) {
    table_->setCurrentIndex(model_->index(row, 0));
  }
}

void BudgetPanel::set_theme(Theme theme) { plot_->set_theme(theme); }

void BudgetPanel::go_to_move(int move) {
  if (trace_ != nullptr && move >= 0 && move < model_->rowCount()) {
    Q_EMIT go_to(
        place_of_decision(*trace_, model_->moves().at(static_cast<std::size_t>(move)).decision));
  }
}

}  // namespace aftershock::gui
