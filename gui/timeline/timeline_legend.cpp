#include <QEvent>
#include <algorithm>

#include "gui/timeline/timeline.h"

// The actions of the mouse on the legend below a timeline.
namespace aftershock::gui {

Kind Timeline::legend_kind_at(const QPoint& at) const {
  const auto found = std::ranges::find_if(
      cache_.legend, [&](const LegendEntry& entry) { return entry.box.contains(at); });
  return found == cache_.legend.end() ? Kind::kCount : found->kind;
}

void Timeline::light_legend(const QPoint& at) {
  const Kind kind = legend_kind_at(at);
  if (kind != lit_) {
    lit_ = kind;
    redraw_times();
  }
}

bool Timeline::press_legend(const QPoint& at) {
  const Kind kind = legend_kind_at(at);
  if (kind == Kind::kCount) {
    return layout_now().legend().contains(at);
  }
  hidden_kinds_ ^= mask_of(kind);
  redraw_times();
  announce((hidden_kinds_ & mask_of(kind)) != 0 ? tr("%1 is hidden").arg(kind_text(kind))
                                                : tr("%1 is shown").arg(kind_text(kind)));
  return true;
}

void Timeline::leaveEvent(QEvent* event) {
  QAbstractScrollArea::leaveEvent(event);
  light_legend(QPoint(-1, -1));
}

}  // namespace aftershock::gui
