#include "gui/actions/picker.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "gui/actions/fuzzy.h"
#include "gui/actions/inner_buttons.h"

namespace aftershock::gui {

namespace {

std::optional<int> score(const PickItem& item, const std::string& typed) {
  const auto text = fuzzy_score(typed, item.text.toStdString());
  if (text || item.also.isEmpty()) {
    return text;
  }
  const auto also = fuzzy_score(typed, item.also.toStdString());
  return also ? std::optional(*also / 2) : std::nullopt;
}

}  // namespace

void PickModel::set_items(std::vector<PickItem> items) {
  items_ = std::move(items);
  set_typed({});
}

void PickModel::set_typed(const QString& typed) {
  const std::string letters = typed.toStdString();
  std::vector<std::pair<int, int>> scored;  // minus the score, item
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const auto points = typed.trimmed().isEmpty() ? std::optional(0) : score(items_[i], letters);
    if (points) {
      scored.emplace_back(-*points, static_cast<int>(i));
    }
  }
  const auto shown = std::min<std::size_t>(scored.size(), kPicksMax);
  std::ranges::partial_sort(scored, scored.begin() + static_cast<std::ptrdiff_t>(shown));
  beginResetModel();
  found_ = static_cast<int>(scored.size());
  rows_.clear();
  for (std::size_t i = 0; i < shown; ++i) {
    rows_.push_back(scored[i].second);
  }
  endResetModel();
}

int PickModel::item_at(int row) const { return rows_.at(static_cast<std::size_t>(row)); }

int PickModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int PickModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 3; }

QVariant PickModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) {
    return {};
  }
  const PickItem& item = items_.at(static_cast<std::size_t>(item_at(index.row())));
  if (role == Qt::DisplayRole) {
    return index.column() == 0 ? item.text : index.column() == 1 ? item.keys : item.detail;
  }
  if (role == Qt::ToolTipRole && !item.detail.isEmpty()) {
    // Escaped, and said to be so: a tip guesses otherwise.
    return QStringLiteral("<qt>%1</qt>").arg(item.detail.toHtmlEscaped());
  }
  return {};
}

Picker::Picker(const QString& title, const QString& prompt, QWidget* parent)
    : QDialog(parent),
      model_(new PickModel(this)),
      field_(new QLineEdit(this)),
      list_(new QTreeView(this)),
      nothing_(new QLabel(tr("Nothing answers to that."), this)) {
  setWindowTitle(title);
  setModal(true);
  resize(860, 460);
  field_->setPlaceholderText(prompt);
  field_->setAccessibleName(prompt);
  field_->setClearButtonEnabled(true);
  name_inner_buttons(*field_);
  field_->installEventFilter(this);
  list_->setModel(model_);
  list_->setAccessibleName(title);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setHeaderHidden(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFocusPolicy(Qt::NoFocus);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(field_);
  layout->addWidget(list_);
  layout->addWidget(nothing_);
  connect(field_, &QLineEdit::textChanged, this, &Picker::type);
  connect(list_, &QTreeView::activated, this, &Picker::take);
  connect(list_, &QTreeView::clicked, this, &Picker::take);
}

void Picker::pick_from(std::vector<PickItem> items) {
  model_->set_items(std::move(items));
  field_->clear();
  type({});
  open();
  field_->setFocus();
  // The last column takes what is left; the first two take what they need.
  list_->resizeColumnToContents(0);
  list_->resizeColumnToContents(1);
}

void Picker::type(const QString& typed) {
  model_->set_typed(typed);
  const bool any = model_->found() > 0;
  list_->setVisible(any);
  nothing_->setVisible(!any);
  if (any) {
    list_->setCurrentIndex(model_->index(0, 0));
  }
}

void Picker::take() {
  const QModelIndex at = list_->currentIndex();
  if (!at.isValid()) {
    return;
  }
  const int item = model_->item_at(at.row());
  accept();
  Q_EMIT picked(item);
}

bool Picker::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_ || event->type() != QEvent::KeyPress) {
    return QDialog::eventFilter(watched, event);
  }
  const auto* key = static_cast<QKeyEvent*>(event);
  const int row = list_->currentIndex().row();
  const int page = std::max(1, list_->viewport()->height() / std::max(1, list_->sizeHintForRow(0)));
  int to = row;
  switch (key->key()) {
    case Qt::Key_Up:
      to = row - 1;
      break;
    case Qt::Key_Down:
      to = row + 1;
      break;
    case Qt::Key_PageUp:
      to = row - page;
      break;
    case Qt::Key_PageDown:
      to = row + page;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      take();
      return true;
    default:
      return QDialog::eventFilter(watched, event);
  }
  const int last = model_->rowCount({}) - 1;
  if (last >= 0) {
    list_->setCurrentIndex(model_->index(std::clamp(to, 0, last), 0));
  }
  return true;
}

}  // namespace aftershock::gui
