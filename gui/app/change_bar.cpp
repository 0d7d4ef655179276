#include "gui/app/change_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace aftershock::gui {

ChangeBar::ChangeBar(QWidget* parent) : QFrame(parent), label_(new QLabel(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("A file has changed"));
  label_->setTextFormat(Qt::PlainText);
  label_->setWordWrap(true);
  auto* layout = new QHBoxLayout(this);
  layout->addWidget(label_, 1);
  const auto add = [&](const QString& text, const QString& name, void (ChangeBar::*asked)()) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setAccessibleName(name);
    connect(button, &QToolButton::clicked, this, asked);
    layout->addWidget(button, 0, Qt::AlignTop);
  };
  add(tr("Reload"), tr("Read the file again"), &ChangeBar::reload_asked);
  add(tr("Close"), tr("Close this word about a file"), &ChangeBar::closed);
  connect(this, &ChangeBar::closed, this, &QWidget::hide);
  hide();
}

void ChangeBar::say(const QString& text) {
  if (text == this->text()) {
    return;
  }
  label_->setText(text);
  label_->setAccessibleName(text);
  show();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

QString ChangeBar::text() const { return isHidden() ? QString() : label_->text(); }

}  // namespace aftershock::gui
