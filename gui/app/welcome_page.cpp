#include "gui/app/welcome_page.h"

#include <QAction>
#include <QFileInfo>
#include <QFont>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/app/icon.h"

namespace aftershock::gui {

namespace {

constexpr int kColumnWidth = 620;
constexpr int kIconSide = 96;

QLabel* paragraph(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace

WelcomePage::WelcomePage(QAction* open, QWidget* parent)
    : QWidget(parent),
      recent_label_(paragraph(tr("Opened last"), this)),
      recent_(new QListWidget(this)) {
  auto* icon = new QLabel(this);
  icon->setPixmap(application_icon().pixmap(kIconSide, kIconSide));
  icon->setAccessibleName(tr("Aftershock's icon"));
  QLabel* title = paragraph(tr("When things break, what will this recovery policy lose?"), this);
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  title->setFont(large);
  auto* button = new QPushButton(tr("Open a recording or a scenario…"), this);
  button->setToolTip(open->toolTip());
  connect(button, &QPushButton::clicked, open, &QAction::trigger);
  recent_label_->setBuddy(recent_);
  recent_->setAccessibleName(tr("Opened last"));
  recent_->setTextElideMode(Qt::ElideMiddle);
  recent_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  auto* column = new QWidget(this);
  column->setFixedWidth(kColumnWidth);
  auto* inner = new QVBoxLayout(column);
  inner->setSpacing(16);
  inner->addWidget(icon, 0, Qt::AlignHCenter);
  inner->addWidget(title);
  inner->addWidget(paragraph(tr("A recording is what `aftershock run SCENARIO --record "
                                "FILE.aftershock` writes. A scenario is simulated first, and "
                                "shown while it grows. Files can be dropped here, too: two are "
                                "compared."),
                             this));
  inner->addWidget(button, 0, Qt::AlignLeft);
  inner->addWidget(recent_label_);
  inner->addWidget(recent_);
  auto* outer = new QVBoxLayout(this);
  outer->addStretch(1);
  outer->addWidget(column, 0, Qt::AlignHCenter);
  outer->addStretch(2);
  const auto choose = [this](QListWidgetItem* item) {
    Q_EMIT chosen(item->data(Qt::UserRole).toString());
  };
  connect(recent_, &QListWidget::itemActivated, this, choose);
}

void WelcomePage::set_recent(const QStringList& paths) {
  recent_->clear();
  for (const QString& path : paths) {
    auto* item = new QListWidgetItem(
        QFileInfo(path).fileName() + QStringLiteral("   ") + QFileInfo(path).absolutePath(),
        recent_);
    item->setData(Qt::UserRole, path);
    item->setToolTip(QStringLiteral("<qt>%1</qt>").arg(path.toHtmlEscaped()));
  }
  recent_label_->setVisible(!paths.isEmpty());
  recent_->setVisible(!paths.isEmpty());
}

}  // namespace aftershock::gui
