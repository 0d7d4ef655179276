#pragma once

#include <QStyledItemDelegate>

#include "gui/theme/theme.h"

namespace aftershock::gui {

/// The roles of a model for a bar: its length as a number from 0 to 1, and a Kind as an int.
enum BarRole { kBarPart = Qt::UserRole, kBarKind };

/// Paints a bar in the kind's colour and hatch.
class BarDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// Colours of the bars.
  void set_theme(Theme theme) { theme_ = theme; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 private:
  Theme theme_ = Theme::kDark;
};

}  // namespace aftershock::gui
