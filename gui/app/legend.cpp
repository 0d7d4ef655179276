#include "gui/app/legend.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPainter>
#include <QVBoxLayout>

#include "gui/theme/glyph.h"
#include "gui/theme/look.h"

namespace aftershock::gui {

namespace {

constexpr QSize kSwatch(56, 18);

QString shown(std::string_view name) {
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).replace(u'_', u' ');
}

QListWidget* list(const QString& name, QWidget* parent) {
  auto* made = new QListWidget(parent);
  made->setAccessibleName(name);
  made->setIconSize(kSwatch);
  made->setUniformItemSizes(true);
  return made;
}

QPixmap swatch(QWidget* of, Theme theme) {
  QPixmap pixmap(kSwatch * of->devicePixelRatioF());
  pixmap.setDevicePixelRatio(of->devicePixelRatioF());
  pixmap.fill(QColor(inks(theme).lane));
  return pixmap;
}

}  // namespace

void show_legend(Theme theme, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QDialog::tr("Colours and shapes"));
  dialog->resize(640, 620);
  QListWidget* kinds = list(QDialog::tr("Colours of spans"), dialog);
  for (std::size_t i = 0; i < kKinds; ++i) {
    const Look look = look_of(static_cast<Kind>(i), theme);
    QPixmap pixmap = swatch(dialog, theme);
    QPainter painter(&pixmap);
    painter.fillRect(QRect({}, kSwatch), QColor(look.fill));
    painter.fillRect(QRect({}, kSwatch),
                     hatch_brush(look.hatch, look.fill, dialog->devicePixelRatioF()));
    painter.end();
    new QListWidgetItem(QIcon(pixmap), shown(name_of(static_cast<Kind>(i))), kinds);
  }
  QListWidget* glyphs = list(QDialog::tr("Shapes of faults"), dialog);
  for (int i = 0; i < static_cast<int>(Glyph::kCount); ++i) {
    QPixmap pixmap = swatch(dialog, theme);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const double left = (kSwatch.width() - kSwatch.height()) / 2.0;
    painter.fillPath(glyph_path(static_cast<Glyph>(i),
                                QRectF(left + 1, 1, kSwatch.height() - 2, kSwatch.height() - 2)),
                     QColor(look_of(Kind::kFault, theme).fill));
    painter.end();
    new QListWidgetItem(QIcon(pixmap), shown(name_of(static_cast<Glyph>(i))), glyphs);
  }
  auto* layout = new QHBoxLayout(dialog);
  layout->addWidget(kinds);
  layout->addWidget(glyphs);
  dialog->open();
}

}  // namespace aftershock::gui
