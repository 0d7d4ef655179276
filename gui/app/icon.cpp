#include "gui/app/icon.h"

#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Outside of namespaces, as Qt has it: what is in a static library does not come by itself.
static void load_resources() { Q_INIT_RESOURCE(viewer_app); }

namespace aftershock::gui {

QIcon icon_of(QSvgRenderer& drawing, std::initializer_list<int> sides) {
  QIcon icon;
  for (const int side : sides) {
    QPixmap pixmap(side, side);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawing.render(&painter);
    painter.end();
    icon.addPixmap(pixmap);
  }
  return icon;
}

QIcon application_icon() {
  load_resources();
  QSvgRenderer drawing(QStringLiteral(":/aftershock-viewer.svg"));
  return icon_of(drawing, {16, 24, 32, 48, 64, 96, 128, 192, 256});
}

}  // namespace aftershock::gui
