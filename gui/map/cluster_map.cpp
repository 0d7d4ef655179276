#include "gui/map/cluster_map.h"

#include <QEvent>
#include <QFontMetrics>
#include <algorithm>

#include "gui/map/map_words.h"
#include "gui/map/place_painter.h"
#include "gui/view/ruler.h"
#include "gui/view/wall_time.h"

namespace aftershock::gui {

namespace {

constexpr int kMargin = 8;
/// The map's time is told to the second: the status bar has the rest.
constexpr std::int64_t kSecond_us = 1'000'000;

void add(Census& to, const Census& census, std::int64_t times) {
  for (std::size_t i = 0; i < kPlaceStates; ++i) {
    to[i] += times * census[i];
  }
}

}  // namespace

ClusterMap::ClusterMap(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Cluster map"));
}

ClusterMap::~ClusterMap() = default;

Scene* ClusterMap::scene() const { return session_ != nullptr ? session_->scene() : nullptr; }

void ClusterMap::set_session(RunSession* session) {
  if (session_ != nullptr) {
    session_->disconnect(this);
  }
  session_ = session;
  cursor_us_ = 0;
  focused_ = 0;
  marked_.reset();
  forget();
  if (session_ != nullptr) {
    connect(session_, &RunSession::grown, this, [this](bool other_lanes) {
      if (other_lanes) {
        forget();
      } else if (states_ != nullptr) {
        states_->refresh();
      }
      catch_up();
    });
  }
  catch_up();
  update();
}

void ClusterMap::set_cursor(qint64 t_us) {
  cursor_us_ = t_us;
  catch_up();
}

void ClusterMap::set_theme(Theme theme) {
  theme_ = theme;
  is_stale_ = true;
  update();
}

void ClusterMap::mark_lane(const std::optional<LaneKey>& lane) {
  if (marked_ != lane) {
    marked_ = lane;
    update();
  }
}

void ClusterMap::forget() {
  states_.reset();
  holders_.reset();
  states_of_ = nullptr;
  is_laid_out_ = false;
}

void ClusterMap::catch_up() {
  Scene* now = scene();
  if (!isVisible()) {
    return;
  }
  if (now == nullptr) {
    forget();
    layout_ = {};
    censuses_.clear();
    total_ = {};
    others_ = {};
    is_stale_ = true;
    update();
    return;
  }
  if (states_ == nullptr || states_of_ != now) {
    states_ = std::make_unique<ClusterStates>(*now);
    holders_ = std::make_unique<NodeHolders>(*now);
    states_of_ = now;
    is_laid_out_ = false;
  }
  const auto changed = states_->go_to(cursor_us_);
  const bool changed_hands = holders_->go_to(cursor_us_);
  if (!is_laid_out_) {
    lay_out_cells();
  } else if (changed_hands) {
    cuts_shown_ = states_->cuts_version();
    count_all();
  } else {
    take_changes(changed);
  }
  find_struck();
  describe();
  // The time above the map is always another one.
  update(0, 0, width(), map_area().top());
}

void ClusterMap::lay_out_cells() {
  const QRect area = map_area();
  layout_ = lay_out(scene()->directory(), {area.width(), area.height(), fontMetrics().height()});
  is_laid_out_ = true;
  cuts_shown_ = states_->cuts_version();
  censuses_.assign(layout_.cells.size(), {});
  focused_ = std::min(focused_, censuses_.empty() ? 0 : censuses_.size() - 1);
  count_all();
}

void ClusterMap::count_all() {
  std::ranges::fill(censuses_, Census{});
  total_ = {};
  others_ = {};
  for (std::size_t cell = 0; cell < censuses_.size(); ++cell) {
    count_cell(cell);
  }
  stale_cells_.clear();
  is_stale_ = true;
  update();
}

void ClusterMap::count_cell(std::size_t cell) {
  const LaneKey& key = layout_.cells[cell].key;
  Census& total = key.section == Section::kPools ? total_ : others_;
  add(total, censuses_[cell], -1);
  censuses_[cell] = holders_->census(*states_, key);
  add(total, censuses_[cell], 1);
}

void ClusterMap::take_changes(std::span<const std::uint32_t> changed) {
  if (cuts_shown_ != states_->cuts_version()) {
    // A line around something comes or goes.
    cuts_shown_ = states_->cuts_version();
    is_stale_ = true;
  } else if (changed.empty()) {
    return;
  }
  std::size_t last = layout_.cells.size();
  const auto take = [&](std::size_t cell) {
    if (cell < layout_.cells.size() && cell != last) {
      last = cell;
      count_cell(cell);
      stale_cells_.push_back(cell);
      update(box_of(cell));
    }
  };
  for (const std::uint32_t index : changed) {
    const ClusterPlace& place = states_->places()[index];
    if (place.is_node()) {
      take(cell_of(layout_, place.key));
      continue;
    }
    // With a rack also nodes of it change of which nothing is recorded.
    const PoolNames& pool = scene()->directory().pools[static_cast<std::size_t>(place.key.group)];
    const auto [first, end] = place.key.rack < 0 ? std::pair(std::int64_t{0}, pool.slots)
                                                 : slots_of_rack(pool, place.key.rack);
    LaneKey node = place.key;
    for (node.node = first; node.node < end;) {
      const std::size_t cell = cell_of(layout_, node);
      if (cell >= layout_.cells.size()) {
        break;
      }
      take(cell);
      node.node = layout_.cells[cell].key.node + layout_.cells[cell].key.run;
    }
  }
  if (is_stale_) {
    update();
  } else {
    // The sum of the squares is told below them.
    update(0, map_area().bottom() + 1, width(), height());
  }
}

void ClusterMap::find_struck() {
  std::vector<std::size_t> struck;
  const Trace& trace = session_->trace();
  constexpr std::size_t kMost = 256;
  const auto at = std::ranges::equal_range(trace.faults, cursor_us_, {}, &Fault::t_us);
  for (const Fault& fault : at) {
    const auto key = struck.size() < kMost && fault.fired && fault.entity < trace.entities.size()
                         ? key_of(scene()->directory(), trace.entities[fault.entity])
                         : std::nullopt;
    if (key && key->node >= 0 && key->section != Section::kExperiments) {
      struck.push_back(cell_of(layout_, *key));
    }
  }
  std::erase(struck, layout_.cells.size());
  if (struck != struck_) {
    struck_ = std::move(struck);
    update();
  }
}

QRect ClusterMap::map_area() const {
  const int text_px = fontMetrics().height();
  // Above the time, below what the colours mean: in a narrow panel that takes more lines.
  const std::size_t owners = holders_ != nullptr ? holders_->owners().size() : 0;
  const int jobs = owners > 6 ? 2 : owners > 1 ? 1 : 0;
  const int lines = std::clamp(30 * text_px / std::max(1, width()) + 1, 2, 3) + jobs;
  return rect().adjusted(kMargin, text_px + kMargin + 4, -kMargin,
                         -(lines * (text_px + 3) + 2 * kMargin));
}

QRect ClusterMap::box_of(std::size_t cell) const {
  const QPoint origin = map_area().topLeft();
  const MapCell& at = layout_.cells.at(cell);
  return {origin.x() + at.x, origin.y() + at.y, layout_.side, layout_.side};
}

QString ClusterMap::counts() const {
  QString text = counts_text(total_);
  if (const QString other = counts_text(ailing(others_)); !other.isEmpty()) {
    text += (text.isEmpty() ? QString() : QStringLiteral(", ")) +
            tr("heads and storages: %1").arg(other);
  }
  return text;
}

QString ClusterMap::time_text() const {
  return QString::fromStdString(format_both(
      cursor_us_, session_ == nullptr ? std::nullopt : run_start(session_->trace().header.start),
      kSecond_us));
}

QSize ClusterMap::sizeHint() const {
  const int text_px = fontMetrics().height();
  return {text_px * 22, text_px * 22};
}

QSize ClusterMap::minimumSizeHint() const {
  const int text_px = fontMetrics().height();
  return {text_px * 12, text_px * 12};
}

void ClusterMap::resizeEvent(QResizeEvent* /*event*/) {
  is_laid_out_ = false;
  catch_up();
}

void ClusterMap::showEvent(QShowEvent* /*event*/) { catch_up(); }

void ClusterMap::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    updateGeometry();
    is_laid_out_ = false;
    catch_up();
  }
}

}  // namespace aftershock::gui
