#include "gui/app/message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace aftershock::gui {

namespace {

// Of what a child process says, a screen has room for the beginning.
constexpr qsizetype kLinesMax = 12;

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), label_(new QLabel(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Message"));
  label_->setTextFormat(Qt::PlainText);
  label_->setWordWrap(true);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* close = new QToolButton(this);
  close->setText(tr("Close"));
  close->setAccessibleName(tr("Close this message"));
  auto* sign = new QLabel(this);
  const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
  sign->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(side, side));
  sign->setAccessibleName(tr("Warning"));
  auto* layout = new QHBoxLayout(this);
  layout->addWidget(sign, 0, Qt::AlignTop);
  layout->addWidget(label_, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

void MessageBar::say(const QString& text) {
  if (text.isEmpty()) {
    hide();
    return;
  }
  QStringList lines = text.split(u'\n');
  if (lines.size() > kLinesMax) {
    const qsizetype more = lines.size() - kLinesMax;
    lines = lines.mid(0, kLinesMax) << tr("and %1 lines more").arg(more);
  }
  label_->setText(lines.join(u'\n'));
  label_->setAccessibleName(label_->text());
  show();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

QString MessageBar::text() const { return isHidden() ? QString() : label_->text(); }

}  // namespace aftershock::gui
