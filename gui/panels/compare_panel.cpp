#include "gui/panels/compare_panel.h"

#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/compare_banner.h"
#include "gui/panels/compare_cards.h"
#include "gui/panels/cost_model.h"
#include "gui/panels/divergence_model.h"
#include "gui/panels/row_space.h"

namespace aftershock::gui {

namespace {

/// Room for all columns, in letters.
constexpr int kWide = 80;
/// Letters that tell what a line of costs is about.
constexpr int kWhatLetters = 13;
/// Of a list above cards.
constexpr int kRowsSeen = 5;
/// A slice of reading: between two the window answers.
constexpr int kSlice_ms = 8;
constexpr std::size_t kSliceDecisions = 16;

QTableView* make_table(QWidget* parent, QAbstractItemModel* model, const QString& name, int lines) {
  auto* table = new QTableView(parent);
  table->setModel(model);
  table->setAccessibleName(name);
  name_inner_buttons(*table);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setTabKeyNavigation(false);
  table->setWordWrap(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->verticalHeader()->setDefaultSectionSize(lines * table->fontMetrics().height() + kRowSpace);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setMinimumSectionSize(table->fontMetrics().averageCharWidth() * 4);
  return table;
}

/// How many jobs met the same fault in both, whatever they did.
std::size_t answered_in_both(const std::vector<reports::Answer>& a,
                             const std::vector<reports::Answer>& b) {
  std::set<std::pair<std::string_view, std::string_view>> in_a;
  for (const reports::Answer& each : a) {
    in_a.emplace(each.owner, each.fault);
  }
  return static_cast<std::size_t>(std::ranges::count_if(
      b, [&](const reports::Answer& each) { return in_a.contains({each.owner, each.fault}); }));
}

}  // namespace

struct ComparePanel::Reading {
  AnswerReader a;
  AnswerReader b;
};

ComparePanel::ComparePanel(QWidget* parent)
    : QWidget(parent),
      banner_(new CompareBanner(this)),
      cards_(new CompareCards),
      costs_(new CostModel(this)),
      model_(new DivergenceModel(this)),
      tabs_(new QTabWidget(this)) {
  tabs_->setAccessibleName(tr("Comparison"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(make_cost_page(), tr("Costs"));
  tabs_->addTab(make_divergence_page(), tr("Where they part"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(banner_);
  layout->addWidget(tabs_, 1);
  connect(cards_, &CompareCards::go_to_place, this, &ComparePanel::go_to_place);
  connect(&timer_, &QTimer::timeout, this, &ComparePanel::read_on);
  set_runs(nullptr, {}, {}, nullptr, {}, {});
}

ComparePanel::~ComparePanel() = default;

QWidget* ComparePanel::make_cost_page() {
  cost_table_ = make_table(tabs_, costs_, tr("Costs of the runs"), 1);
  cost_table_->setSortingEnabled(true);
  cost_table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  cost_table_->horizontalHeader()->setSectionResizeMode(CostModel::kWhat, QHeaderView::Stretch);
  return cost_table_;
}

QWidget* ComparePanel::make_divergence_page() {
  auto* page = new QWidget(tabs_);
  count_ = new QLabel(page);
  count_->setTextFormat(Qt::PlainText);
  count_->setWordWrap(true);
  count_->setMargin(kRowSpace);
  count_->setAccessibleName(tr("How often they part"));
  table_ = make_table(page, model_, tr("Where the policies part"), 2);
  table_->horizontalHeader()->setSectionResizeMode(DivergenceModel::kA, QHeaderView::Stretch);
  table_->horizontalHeader()->setSectionResizeMode(DivergenceModel::kB, QHeaderView::Stretch);
  table_->setTextElideMode(Qt::ElideMiddle);
  parts_ = new QSplitter(Qt::Vertical, page);
  parts_->addWidget(table_);
  parts_->addWidget(cards_);
  parts_->setChildrenCollapsible(false);
  parts_->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(count_);
  layout->addWidget(parts_, 1);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    const int row = current();
    cards_->show_divergence(row < 0 ? nullptr
                                    : &model_->divergences()[static_cast<std::size_t>(row)]);
  });
  const auto chosen = [this](const QModelIndex& index) { choose(index.row()); };
  connect(table_, &QTableView::clicked, this, chosen);
  connect(table_, &QTableView::activated, this, chosen);
  return page;
}

void ComparePanel::set_runs(const Trace* a, const std::string& path_a, const QString& name_a,
                            const Trace* b, const std::string& path_b, const QString& name_b) {
  timer_.stop();
  reading_.reset();
  model_->set_divergences({});
  traces_ = {a, b};
  banner_->set_runs(a, name_a, b, name_b);
  cards_->set_runs(a, path_a, b, path_b);
  const bool both = a != nullptr && b != nullptr;
  costs_->set_lines(both ? cost_lines(*a, *b) : std::vector<CostLine>());
  cost_table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  cost_table_->setColumnHidden(CostModel::kEntity, !costs_->has_entities());
  fit_columns();
  count_->setText(both ? tr("Reading what both decided ...")
                       : tr("Open two runs to compare them."));
  tabs_->setTabText(1, tr("Where they part"));
  if (both) {
    reading_.reset(new Reading{AnswerReader(*a, path_a), AnswerReader(*b, path_b)});
    timer_.start(0);
  }
}

void ComparePanel::read_on() {
  QElapsedTimer since;
  since.start();
  do {
    if (!reading_->a.read_on(kSliceDecisions) && !reading_->b.read_on(kSliceDecisions)) {
      timer_.stop();
      const std::unique_ptr<Reading> read = std::move(reading_);
      auto found = reports::divergences_by_fault(read->a.answers(), read->b.answers());
      const std::size_t met = answered_in_both(read->a.answers(), read->b.answers());
      count_->setText(
          found.empty()
              ? tr("Both answered %1 faults, each alike.").arg(met)
              : tr("Both answered %1 faults, %2 of them differently.").arg(met).arg(found.size()));
      take(std::move(found));
      return;
    }
  } while (since.elapsed() < kSlice_ms);
}

void ComparePanel::take(std::vector<reports::Divergence> found) {
  std::set<std::string_view> jobs;
  for (const reports::Divergence& each : found) {
    jobs.insert(each.owner);
  }
  tabs_->setTabText(1, tr("Where they part (%1)").arg(found.size()));
  table_->setColumnHidden(DivergenceModel::kJob, jobs.size() < 2);
  model_->set_divergences(std::move(found));
  fit_columns();
  // The cards are what takes room to read.
  const int row_px = table_->verticalHeader()->defaultSectionSize();
  const int list_px = (1 + std::min(model_->rowCount(), kRowsSeen)) * row_px;
  parts_->setSizes({list_px, std::max(list_px, parts_->height() - list_px)});
  show_divergence(0);
  Q_EMIT divergences_found();
}

void ComparePanel::fit_columns() {
  const bool narrow = width() < kWide * fontMetrics().averageCharWidth();
  const int lines = narrow ? 2 : 1;
  costs_->set_narrow(narrow);
  cost_table_->setColumnHidden(CostModel::kPercent, narrow);
  cost_table_->verticalHeader()->setDefaultSectionSize(lines * fontMetrics().height() + kRowSpace);
  for (const auto& [table, columns] :
       {std::pair(cost_table_, std::vector<int>{CostModel::kEntity, CostModel::kA, CostModel::kB,
                                                CostModel::kDifference, CostModel::kPercent}),
        std::pair(table_, std::vector<int>{DivergenceModel::kTime, DivergenceModel::kFault,
                                           DivergenceModel::kJob})}) {
    const int most = std::max(1, table == table_ ? width() / 4 : width() * 3 / 10);
    for (const int column : columns) {
      table->resizeColumnToContents(column);
      table->setColumnWidth(column, std::min(most, table->columnWidth(column)));
    }
  }
  // The subject of a line is read first: rather than that, the last column is scrolled away.
  QHeaderView& header = *cost_table_->horizontalHeader();
  const int needed = kWhatLetters * QFontMetrics(header.font()).averageCharWidth();
  const int left =
      cost_table_->viewport()->width() - header.length() + header.sectionSize(CostModel::kWhat);
  header.setSectionResizeMode(CostModel::kWhat,
                              left < needed ? QHeaderView::Fixed : QHeaderView::Stretch);
  if (left < needed) {
    header.resizeSection(CostModel::kWhat, needed);
  }
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_columns();
}

void ComparePanel::set_theme(Theme theme) {
  banner_->set_theme(theme);
  cards_->set_theme(theme);
  costs_->set_theme(theme);
}

const std::vector<reports::Divergence>& ComparePanel::divergences() const {
  return model_->divergences();
}

void ComparePanel::show_divergence(int index) { table_->setCurrentIndex(model_->index(index, 0)); }

int ComparePanel::current() const {
  const QModelIndex index = table_->currentIndex();
  return index.isValid() ? index.row() : -1;
}

void ComparePanel::choose(int index) {
  if (index >= 0 && index < model_->rowCount()) {
    Q_EMIT go_to(divergences()[static_cast<std::size_t>(index)]);
  }
}

void ComparePanel::show_divergences() { tabs_->setCurrentIndex(1); }

}  // namespace aftershock::gui
