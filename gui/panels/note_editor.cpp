#include "gui/panels/note_editor.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <utility>

namespace aftershock::gui {

namespace {

constexpr int kLongest = 2000;
constexpr int kNoteLetters = 44;

}  // namespace

NoteEditor::NoteEditor(QWidget* window)
    : QFrame(window), what_(new QLabel(this)), field_(new QLineEdit(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  what_->setTextFormat(Qt::PlainText);
  what_->setBuddy(field_);
  field_->setMaxLength(kLongest);
  field_->setPlaceholderText(tr("Enter stores, Esc gives up"));
  field_->installEventFilter(this);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 5, 8, 5);
  layout->addWidget(what_);
  layout->addWidget(field_, 1);
  hide();
}

void NoteEditor::ask(const QString& what, const QPoint& at,
                     std::function<void(const QString&)> store) {
  finish(true);
  store_ = std::move(store);
  what_->setText(what);
  field_->setAccessibleName(what);
  field_->clear();
  field_->setMinimumWidth(field_->fontMetrics().averageCharWidth() * kNoteLetters);
  focus_before_ = QApplication::focusWidget();
  adjustSize();
  const QRect room = parentWidget()->rect();
  const QSize size = this->size().boundedTo(room.size());
  resize(size);
  move(std::clamp(at.x(), 0, room.width() - size.width()),
       std::clamp(at.y(), 0, room.height() - size.height()));
  show();
  raise();
  field_->setFocus();
}

void NoteEditor::finish(bool keep) {
  const auto store = std::exchange(store_, nullptr);
  if (!store) {
    return;
  }
  const QString text = field_->text().trimmed();
  if (field_->hasFocus() && focus_before_ != nullptr) {
    focus_before_->setFocus();
  }
  hide();
  if (keep && !text.isEmpty()) {
    store(text);
  }
}

bool NoteEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape) {
      finish(key != Qt::Key_Escape);
      return true;
    }
  } else if (watched == field_ && event->type() == QEvent::FocusOut) {
    const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
    // Another window, or a menu of the field, is not elsewhere.
    if (why != Qt::ActiveWindowFocusReason && why != Qt::PopupFocusReason) {
      finish(true);
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace aftershock::gui
