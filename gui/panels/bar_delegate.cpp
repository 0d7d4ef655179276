#include "gui/panels/bar_delegate.h"

#include <QPainter>
#include <algorithm>

#include "gui/theme/look.h"

namespace aftershock::gui {

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);
  constexpr int kMargin = 3;
  const QRect room = option.rect.adjusted(kMargin, kMargin, -kMargin, -kMargin);
  const double part = index.data(kBarPart).toDouble();
  const auto kind = static_cast<Kind>(index.data(kBarKind).toInt());
  const Look look = look_of(kind, theme_);
  // A part above zero is seen, however little it is.
  const int width = part > 0 ? std::max(2, qRound(part * room.width())) : 0;
  const QRect bar(room.topLeft(), QSize(std::min(width, room.width()), room.height()));
  painter->fillRect(bar, QColor(look.fill));
  painter->fillRect(bar,
                    hatch_brush(look.hatch, look.fill, painter->device()->devicePixelRatioF()));
}

}  // namespace aftershock::gui
