#include "gui/theme/glyph.h"

#include <QPointF>
#include <QPolygonF>
#include <QTransform>
#include <array>
#include <initializer_list>
#include <utility>

namespace aftershock::gui {

namespace {

using Points = std::initializer_list<QPointF>;

// All within the square from -1 to 1.

constexpr double kFine = 100;

// Qt makes polygons of curves when it cuts them, as fine as suits pixels: so this is done enlarged.
QPainterPath without(const QPainterPath& path, const QPainterPath& cut) {
  const QTransform up = QTransform::fromScale(kFine, kFine);
  return QTransform::fromScale(1 / kFine, 1 / kFine).map(up.map(path).subtracted(up.map(cut)));
}

QPainterPath polygon(Points points) {
  QPainterPath path;
  path.addPolygon(QPolygonF(QList<QPointF>(points)));
  path.closeSubpath();
  return path;
}

QPainterPath cross() {
  constexpr double kArm = 0.32;
  QPainterPath path = polygon({{-1, -kArm},
                               {-kArm, -kArm},
                               {-kArm, -1},
                               {kArm, -1},
                               {kArm, -kArm},
                               {1, -kArm},
                               {1, kArm},
                               {kArm, kArm},
                               {kArm, 1},
                               {-kArm, 1},
                               {-kArm, kArm},
                               {-1, kArm}});
  return QTransform().rotate(45).map(path);
}

QPainterPath ring_diamond() {
  QPainterPath path = polygon({{0, -1}, {1, 0}, {0, 1}, {-1, 0}});
  return without(path, polygon({{0, -0.38}, {0.38, 0}, {0, 0.38}, {-0.38, 0}}));
}

QPainterPath broken_bars() {
  QPainterPath path = polygon({{-1, 0.1}, {-0.1, -0.55}, {-0.1, 0.1}, {-1, 0.75}});
  path.addPath(polygon({{1, -0.1}, {0.1, 0.55}, {0.1, -0.1}, {1, -0.75}}));
  return path;
}

QPainterPath disc() {
  QPainterPath path;
  path.addEllipse(QRectF(-0.8, -0.8, 1.6, 1.6));
  return path;
}

QPainterPath cut_disc() {
  QPainterPath whole;
  whole.addEllipse(QRectF(-1, -1, 2, 2));
  return without(whole, polygon({{0.05, -1.1}, {0.5, -1.1}, {-0.05, 1.1}, {-0.5, 1.1}}));
}

QPainterPath drum() {
  QPainterPath path;
  path.moveTo(-0.8, -0.7);
  path.cubicTo(-0.8, -1.1, 0.8, -1.1, 0.8, -0.7);
  path.lineTo(0.8, 0.7);
  path.cubicTo(0.8, 1.1, -0.8, 1.1, -0.8, 0.7);
  path.closeSubpath();
  QPainterPath gap;
  gap.moveTo(-0.9, -0.45);
  gap.cubicTo(-0.6, -0.05, 0.6, -0.05, 0.9, -0.45);
  gap.lineTo(0.9, -0.2);
  gap.cubicTo(0.6, 0.2, -0.6, 0.2, -0.9, -0.2);
  gap.closeSubpath();
  return without(path, gap);
}

QPainterPath arrow_out() {
  return polygon(
      {{0, -1}, {0.95, 0.05}, {0.38, 0.05}, {0.38, 1}, {-0.38, 1}, {-0.38, 0.05}, {-0.95, 0.05}});
}

QPainterPath person() {
  QPainterPath path;
  path.addEllipse(QRectF(-0.45, -1, 0.9, 0.9));
  QPainterPath body;
  body.moveTo(-0.9, 1);
  body.cubicTo(-0.9, 0.1, -0.5, 0.05, 0, 0.05);
  body.cubicTo(0.5, 0.05, 0.9, 0.1, 0.9, 1);
  body.closeSubpath();
  path.addPath(body);
  return path;
}

QPainterPath crown() {
  return polygon({{-1, -0.8},
                  {-0.45, -0.05},
                  {0, -0.95},
                  {0.45, -0.05},
                  {1, -0.8},
                  {0.8, 0.85},
                  {-0.8, 0.85}});
}

QPainterPath hourglass() {
  return polygon({{-0.8, -1}, {0.8, -1}, {0.12, 0}, {0.8, 1}, {-0.8, 1}, {-0.12, 0}});
}

QPainterPath unit_path(Glyph glyph) {
  switch (glyph) {
    case Glyph::kCrash:
      return cross();
    case Glyph::kHang:
      return hourglass();
    case Glyph::kCorruption:
      return ring_diamond();
    case Glyph::kLink:
      return broken_bars();
    case Glyph::kPartition:
      return cut_disc();
    case Glyph::kStorage:
      return drum();
    case Glyph::kPreemption:
      return arrow_out();
    case Glyph::kUser:
      return person();
    case Glyph::kControlPlane:
      return crown();
    case Glyph::kOther:
    case Glyph::kCount:
      break;
  }
  return disc();
}

constexpr std::array<std::string_view, static_cast<std::size_t>(Glyph::kCount)> kNames{
    "crash",      "hang",      "device fault or corruption",
    "link",       "partition", "storage",
    "preemption", "user",      "control plane",
    "other"};

constexpr auto kFaults = std::to_array<std::pair<std::string_view, Glyph>>({
    {"node_crash", Glyph::kCrash},
    {"worker_crash", Glyph::kCrash},
    {"host_oom", Glyph::kCrash},
    {"cluster_outage", Glyph::kCrash},
    {"hang", Glyph::kHang},
    {"straggler", Glyph::kHang},
    {"accelerator_fault", Glyph::kCorruption},
    {"corrected_ecc_storm", Glyph::kCorruption},
    {"divergent_report", Glyph::kCorruption},
    {"corrupt_checkpoint", Glyph::kCorruption},
    {"bad_replacement", Glyph::kCorruption},
    {"lemon_node", Glyph::kCorruption},
    {"link_flap", Glyph::kLink},
    {"stale_message", Glyph::kLink},
    {"duplicate_message", Glyph::kLink},
    {"partition", Glyph::kPartition},
    {"one_way_partition", Glyph::kPartition},
    {"head_worker_partition", Glyph::kPartition},
    {"worker_storage_partition", Glyph::kPartition},
    {"storage_outage", Glyph::kStorage},
    {"slow_storage", Glyph::kStorage},
    {"full_disk", Glyph::kStorage},
    {"upload_error", Glyph::kStorage},
    {"torn_snapshot", Glyph::kStorage},
    {"unshared_storage", Glyph::kStorage},
    {"object_store_full", Glyph::kStorage},
    {"deleted_checkpoint", Glyph::kStorage},
    {"unwritable_snapshot", Glyph::kStorage},
    {"torn_checkpoint", Glyph::kStorage},
    {"preemption", Glyph::kPreemption},
    {"capacity_denial", Glyph::kPreemption},
    {"user_interrupt", Glyph::kUser},
    {"head_crash", Glyph::kControlPlane},
    {"false_alarm", Glyph::kControlPlane},
    {"hook_error", Glyph::kControlPlane},
    {"policy_crash", Glyph::kControlPlane},
});

}  // namespace

std::string_view name_of(Glyph glyph) { return kNames.at(static_cast<std::size_t>(glyph)); }

Glyph glyph_of_fault(std::string_view kind) {
  for (const auto& [word, glyph] : kFaults) {
    if (word == kind) {
      return glyph;
    }
  }
  return Glyph::kOther;
}

QPainterPath glyph_path(Glyph glyph, const QRectF& box) {
  QTransform fit;
  fit.translate(box.center().x(), box.center().y());
  fit.scale(box.width() / 2, box.height() / 2);
  return fit.map(unit_path(glyph));
}

}  // namespace aftershock::gui
