#include "gui/panels/event_table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/event_model.h"
#include "gui/panels/sorted_table.h"

namespace aftershock::gui {

namespace {

constexpr std::array<int, EventModel::kColumns> kWidths{110, 150, 160, 150, 420};
constexpr int kCountRoom_px = 6;
constexpr std::array<std::pair<const char*, SubLane>, kSubLanes> kParts{
    {{"Faults", SubLane::kFaults},
     {"Decisions", SubLane::kDecisions},
     {"Marks", SubLane::kMarks},
     {"Attempts", SubLane::kAttempts},
     {"Phases", SubLane::kPhases},
     {"Checkpoints", SubLane::kCheckpoints},
     {"States of nodes", SubLane::kStates},
     {"Others", SubLane::kOthers}}};

}  // namespace

EventTable::EventTable(QWidget* parent)
    : QWidget(parent),
      model_(new EventModel(this)),
      field_(new QLineEdit(this)),
      kinds_(new QComboBox(this)),
      count_(new QLabel(this)),
      table_(new QTableView(this)) {
  field_->setPlaceholderText(tr("Show only what has these words"));
  field_->setAccessibleName(tr("Show only events with these words"));
  field_->setClearButtonEnabled(true);
  name_inner_buttons(*field_);
  kinds_->setAccessibleName(tr("Show only events of this kind"));
  kinds_->addItem(tr("All kinds"), -1);
  for (const auto& [name, sub] : kParts) {
    kinds_->addItem(tr(name), static_cast<int>(sub));
  }
  count_->setAccessibleName(tr("How many events are shown"));
  table_->setModel(model_);
  table_->setAccessibleName(tr("Events"));
  make_sorted(*table_, EventModel::kTime, Qt::AscendingOrder);
  for (int column = 0; column < EventModel::kColumns; ++column) {
    table_->setColumnWidth(column, kWidths.at(static_cast<std::size_t>(column)));
  }
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, kCountRoom_px, 0);
  row->addWidget(field_, 1);
  row->addWidget(kinds_);
  row->addWidget(count_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(row);
  layout->addWidget(table_);
  connect(field_, &QLineEdit::textChanged, this, &EventTable::choose);
  connect(kinds_, &QComboBox::currentIndexChanged, this, &EventTable::choose);
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { Q_EMIT go_to(model_->place_at(index.row())); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid() && !silent_) {
              Q_EMIT place_chosen(model_->place_at(now.row()));
            }
          });
  tell_count();
}

void EventTable::set_run(const Trace* trace, const std::string& path) {
  const QModelIndex now = table_->currentIndex();
  if (trace != trace_) {
    current_.reset();
  } else if (now.isValid()) {
    current_ = model_->place_at(now.row());
  }
  // The model's references must not outlive the trace.
  model_->set_trace(nullptr, {});
  trace_ = trace;
  path_ = path;
  to_read_ = true;
  if (isVisible()) {
    read();
  }
  tell_count();
}

void EventTable::grow() {
  to_grow_ = true;
  if (isVisible()) {
    read();
  }
}

void EventTable::read() {
  if (std::exchange(to_read_, false)) {
    model_->set_trace(trace_, path_);
    table_->setColumnHidden(EventModel::kWallTime,
                            trace_ == nullptr || trace_->header.start.empty());
    if (const auto before = std::exchange(current_, std::nullopt)) {
      make_current(model_->row_of(before->lane, before->span));
    }
    to_grow_ = false;
    tell_count();
  }
  if (std::exchange(to_grow_, false)) {
    model_->grow();
    tell_count();
  }
}

void EventTable::showEvent(QShowEvent* event) {
  read();
  QWidget::showEvent(event);
}

void EventTable::select_nearest(std::int64_t t_us) { make_current(model_->nearest(t_us)); }

void EventTable::make_current(int row) {
  if (row >= 0) {
    silent_ = true;
    table_->setCurrentIndex(model_->index(row, 0));
    silent_ = false;
  }
}

void EventTable::step(int by) {
  const int rows = model_->rowCount();
  if (rows == 0) {
    return;
  }
  const QModelIndex now = table_->currentIndex();
  const int row =
      !now.isValid() ? (by > 0 ? 0 : rows - 1) : std::clamp(now.row() + by, 0, rows - 1);
  table_->setCurrentIndex(model_->index(row, 0));
  Q_EMIT go_to(model_->place_at(row));
}

void EventTable::set_filter(const QString& text) { field_->setText(text); }

void EventTable::choose() {
  const int part = kinds_->currentData().toInt();
  model_->set_filter(field_->text(),
                     part < 0 ? std::nullopt : std::optional(static_cast<SubLane>(part)));
  tell_count();
}

void EventTable::tell_count() {
  const QLocale locale = QLocale::c();
  count_->setText(tr("%1 of %2")
                      .arg(locale.toString(model_->rowCount()),
                           locale.toString(static_cast<qulonglong>(model_->total()))));
}

}  // namespace aftershock::gui
