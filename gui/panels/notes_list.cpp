#include "gui/panels/notes_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/actions/inner_buttons.h"
#include "gui/panels/row_space.h"
#include "gui/sidecar/notes_model.h"

namespace aftershock::gui {

NotesList::NotesList(QWidget* parent)
    : QWidget(parent),
      table_(new QTableView(this)),
      nothing_(new QLabel(tr("No notes or bookmarks yet. In the timeline M writes a note at the "
                             "cursor, and B keeps the view as a bookmark."),
                          this)),
      go_(new QPushButton(tr("Go there"), this)),
      edit_(new QPushButton(tr("Edit"), this)),
      delete_(new QPushButton(tr("Delete"), this)),
      put_back_(new QPushButton(tr("Put back"), this)) {
  nothing_->setTextFormat(Qt::PlainText);
  nothing_->setWordWrap(true);
  nothing_->setAlignment(Qt::AlignTop);
  nothing_->setMargin(6);
  table_->setAccessibleName(tr("Bookmarks and notes"));
  name_inner_buttons(*table_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* buttons = new QHBoxLayout;
  for (QPushButton* button : {go_, edit_, delete_, put_back_}) {
    button->setAccessibleName(button->text());
    button->setAutoDefault(false);
    buttons->addWidget(button);
  }
  buttons->addStretch(1);
  put_back_->setToolTip(tr("Put back what was deleted last"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(nothing_, 1);
  layout->addWidget(table_, 1);
  layout->addLayout(buttons);
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { Q_EMIT go_to(index.row()); });
  connect(go_, &QPushButton::clicked, this, [this] { Q_EMIT go_to(row()); });
  connect(edit_, &QPushButton::clicked, this, &NotesList::edit);
  connect(delete_, &QPushButton::clicked, this, [this] { Q_EMIT delete_asked(row()); });
  connect(put_back_, &QPushButton::clicked, this, &NotesList::put_back_asked);
  const auto key = [this](const QKeySequence& keys, auto run) {
    auto* shortcut = new QShortcut(keys, table_);
    shortcut->setContext(Qt::WidgetShortcut);
    connect(shortcut, &QShortcut::activated, this, run);
  };
  key(Qt::Key_Delete, [this] {
    if (row() >= 0) {
      Q_EMIT delete_asked(row());
    }
  });
  key(Qt::Key_F2, [this] { edit(); });
  set_can_put_back(false);
  show_state();
  fit_rows();
}

void NotesList::fit_rows() {
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + kRowSpace);
}

void NotesList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    fit_rows();
  }
}

void NotesList::set_model(NotesModel* model) {
  if (model == table_->model()) {
    return;
  }
  if (table_->model() != nullptr) {
    table_->model()->disconnect(this);
  }
  const QItemSelectionModel* old = table_->selectionModel();
  table_->setModel(model);
  delete old;
  if (model != nullptr) {
    QHeaderView& header = *table_->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(NotesModel::kText, QHeaderView::Stretch);
    header.setResizeContentsPrecision(100);
    connect(model, &NotesModel::modelReset, this, &NotesList::show_state);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
      show_state();
      Q_EMIT row_changed();
    });
  }
  show_state();
}

int NotesList::row() const {
  if (table_->model() == nullptr) {
    return -1;
  }
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

void NotesList::select(int row) {
  if (table_->model() == nullptr) {
    return;
  }
  if (row < 0) {
    table_->selectionModel()->clear();
    return;
  }
  table_->setCurrentIndex(table_->model()->index(row, NotesModel::kText));
  table_->selectRow(row);
}

void NotesList::set_can_put_back(bool can) { put_back_->setEnabled(can); }

void NotesList::edit() {
  if (row() >= 0) {
    table_->setFocus();
    table_->edit(table_->model()->index(row(), NotesModel::kText));
  }
}

void NotesList::show_state() {
  const bool any = table_->model() != nullptr && table_->model()->rowCount() > 0;
  table_->setVisible(any);
  nothing_->setVisible(!any);
  for (QPushButton* button : {go_, edit_, delete_}) {
    button->setEnabled(row() >= 0);
  }
}

}  // namespace aftershock::gui
