#include "gui/actions/key_sheet.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <array>

#include "gui/actions/action_set.h"
#include "gui/actions/inner_buttons.h"

namespace aftershock::gui {

namespace {

constexpr int kRowSpace = 6;
constexpr std::array kTitles{"Keys", "Action", "Effect", "Where", "Menu"};

QString where(const ActionSpec& spec) {
  if (spec.keys.empty()) {
    return KeyModel::tr("in the menu");
  }
  return spec.scope == Scope::kTimeline ? KeyModel::tr("in the timeline")
                                        : KeyModel::tr("anywhere");
}

}  // namespace

KeyModel::KeyModel(const ActionSet& actions, QObject* parent)
    : QAbstractTableModel(parent), actions_(actions) {
  refresh();
}

void KeyModel::refresh() {
  beginResetModel();
  rows_.clear();
  for (const ActionSpec& spec : actions_.table()) {
    if (actions_.is_handled(spec.id)) {
      rows_.push_back(&spec);
    }
  }
  endResetModel();
}

int KeyModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int KeyModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kTitles.size());
}

QVariant KeyModel::data(const QModelIndex& index, int role) const {
  // A sentence that is cut is read whole in its tip.
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
    return {};
  }
  const ActionSpec& spec = *rows_.at(static_cast<std::size_t>(index.row()));
  switch (index.column()) {
    case 0:
      return shown_keys(spec);
    case 1:
      return QString::fromStdString(spec.text).remove(u'…');
    case 2:
      return QString::fromStdString(spec.help);
    case 3:
      return where(spec);
    default:
      return QString::fromStdString(spec.menu).replace(u'/', QStringLiteral(" > "));
  }
}

QVariant KeyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
      section >= static_cast<int>(kTitles.size())) {
    return {};
  }
  return tr(kTitles.at(static_cast<std::size_t>(section)));
}

KeySheet::KeySheet(const ActionSet& actions, QWidget* window)
    : QDialog(window),
      model_(new KeyModel(actions, this)),
      filter_(new QSortFilterProxyModel(this)),
      field_(new QLineEdit(this)),
      table_(new QTableView(this)) {
  setWindowTitle(tr("Keys"));
  resize(1240, 720);
  filter_->setSourceModel(model_);
  filter_->setFilterKeyColumn(-1);
  filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  field_->setPlaceholderText(tr("Find a key or what it does"));
  field_->setAccessibleName(tr("Find a key or what it does"));
  field_->setClearButtonEnabled(true);
  name_inner_buttons(*field_);
  table_->setModel(filter_);
  table_->setAccessibleName(tr("Keys and what they do"));
  name_inner_buttons(*table_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(field_);
  layout->addWidget(table_);
  connect(field_, &QLineEdit::textChanged, filter_, &QSortFilterProxyModel::setFilterFixedString);
}

void KeySheet::show_keys() {
  model_->refresh();
  table_->resizeColumnsToContents();
  table_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + kRowSpace);
  show();
  raise();
  activateWindow();
  field_->setFocus();
}

}  // namespace aftershock::gui
