#include "gui/timeline/accessible_timeline.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <vector>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

/// Where the n-th row on the screen is, in the viewport; pinned ones come first.
QRect rect_of(const Timeline& timeline, int row) {
  const Layout layout = timeline.layout_now();
  return {0, layout.rows_top() + row * layout.row_px, layout.width, layout.row_px};
}

std::optional<std::uint32_t> node_of(const Timeline& timeline, int row) {
  return timeline.node_at(rect_of(timeline, row).top());
}

int rows_of(const Timeline& timeline) {
  const Layout layout = timeline.layout_now();
  const int most = layout.pinned + layout.seen_rows();
  int rows = 0;
  while (rows < most && node_of(timeline, rows)) {
    ++rows;
  }
  return rows;
}

/// The n-th row as it stands just now; it knows nothing but its number.
class AccessibleRow : public QAccessibleInterface {
 public:
  AccessibleRow(Timeline& timeline, int row) : timeline_(&timeline), row_(row) {}

  [[nodiscard]] bool isValid() const override {
    return timeline_ != nullptr && node_of(*timeline_, row_).has_value();
  }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return timeline_ == nullptr ? nullptr : QAccessible::queryAccessibleInterface(timeline_.data());
  }
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  void setText(QAccessible::Text, const QString&) override {}
  [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }

  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    const auto node = timeline_ == nullptr ? std::nullopt : node_of(*timeline_, row_);
    if (!node) {
      return {};
    }
    const Scene& scene = *timeline_->session()->scene();
    if (kind == QAccessible::Name) {
      return lane_text(scene, scene.tree().nodes[*node].key);
    }
    if (kind != QAccessible::Description) {
      return {};
    }
    const std::int64_t now_us = timeline_->state().cursor_us;
    const auto span = span_at(scene, *node, now_us, now_us + 1);
    return span ? short_text(scene, *span) : Timeline::tr("nothing at the cursor");
  }
  [[nodiscard]] QRect rect() const override {
    if (timeline_ == nullptr) {
      return {};
    }
    const QRect there = rect_of(*timeline_, row_).intersected(timeline_->viewport()->rect());
    return {timeline_->viewport()->mapToGlobal(there.topLeft()), there.size()};
  }
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state;
    state.selectable = true;
    const auto node = timeline_ == nullptr ? std::nullopt : node_of(*timeline_, row_);
    const auto& lane = timeline_ == nullptr ? std::nullopt : timeline_->state().lane;
    state.selected =
        node && lane && timeline_->session()->scene()->tree().nodes[*node].key == *lane;
    return state;
  }

 private:
  QPointer<Timeline> timeline_;
  int row_;
};

class AccessibleTimeline : public QAccessibleWidget {
 public:
  explicit AccessibleTimeline(Timeline& timeline)
      : QAccessibleWidget(&timeline, QAccessible::List), timeline_(timeline) {}
  AccessibleTimeline(const AccessibleTimeline&) = delete;
  AccessibleTimeline& operator=(const AccessibleTimeline&) = delete;
  ~AccessibleTimeline() override {
    for (const QAccessible::Id id : rows_) {
      QAccessible::deleteAccessibleInterface(id);
    }
  }

  [[nodiscard]] int childCount() const override {
    return rows_of(timeline_) + QAccessibleWidget::childCount();
  }
  [[nodiscard]] QAccessibleInterface* child(int index) const override {
    const int rows = rows_of(timeline_);
    return index < rows ? row(index) : QAccessibleWidget::child(index - rows);
  }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (QAccessible::accessibleInterface(rows_[i]) == child) {
        return static_cast<int>(i);
      }
    }
    const int index = QAccessibleWidget::indexOfChild(child);
    return index < 0 ? index : index + rows_of(timeline_);
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint at = timeline_.viewport()->mapFromGlobal(QPoint(x, y));
    const Layout layout = timeline_.layout_now();
    if (timeline_.viewport()->rect().contains(at) && timeline_.node_at(at.y())) {
      return row((at.y() - layout.rows_top()) / layout.row_px);
    }
    return QAccessibleWidget::childAt(x, y);
  }

 private:
  QAccessibleInterface* row(int index) const {
    while (rows_.size() <= static_cast<std::size_t>(index)) {
      rows_.push_back(QAccessible::registerAccessibleInterface(
          new AccessibleRow(timeline_, static_cast<int>(rows_.size()))));
    }
    return QAccessible::accessibleInterface(rows_[static_cast<std::size_t>(index)]);
  }

  Timeline& timeline_;
  mutable std::vector<QAccessible::Id> rows_;
};

}  // namespace

QAccessibleInterface* accessible_timeline(const QString& /*class_name*/, QObject* object) {
  auto* timeline = qobject_cast<Timeline*>(object);
  return timeline == nullptr ? nullptr : new AccessibleTimeline(*timeline);
}

}  // namespace aftershock::gui
