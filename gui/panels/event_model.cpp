#include "gui/panels/event_model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>

#include "gui/panels/event_order.h"
#include "gui/panels/event_words.h"
#include "gui/view/wall_time.h"

namespace aftershock::gui {

namespace {

constexpr std::array kEventTitles{"Time", "Date and time", "Lane", "What", "Detail"};

std::uint64_t apart(std::int64_t a, std::int64_t b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

}  // namespace

void EventModel::set_trace(const Trace* trace, const std::string& path) {
  beginResetModel();
  trace_ = trace;
  titles_ = {};
  events_.clear();
  events_.shrink_to_fit();
  start_us_.reset();
  if (trace_ != nullptr) {
    titles_ = decision_titles(*trace_, path);
    start_us_ = parse_start(trace_->header.start);
    events_.reserve(static_cast<std::size_t>(trace_->spans));
    for (std::uint32_t lane = 0; lane < trace_->lanes.size(); ++lane) {
      const LaneSpans spans = trace_->lanes[lane].columns.spans();
      for (std::uint32_t i = 0; i < spans.size(); ++i) {
        events_.push_back({spans.begin_us[i], lane, i});
      }
    }
    // What happened at once stands together: faults before what they brought about.
    std::ranges::sort(events_, [this](const Event& a, const Event& b) {
      const auto rest = [this](const Event& event) {
        return std::tuple(trace_->lanes[event.lane].sub != SubLane::kFaults, event.lane,
                          event.span);
      };
      return a.t_us != b.t_us ? a.t_us < b.t_us : rest(a) < rest(b);
    });
  }
  choose();
  endResetModel();
}

void EventModel::set_filter(const QString& text, std::optional<SubLane> sub) {
  beginResetModel();
  filter_ = text;
  sub_ = sub;
  choose();
  endResetModel();
}

void EventModel::choose() {
  shown_.clear();
  if (trace_ == nullptr) {
    return;
  }
  const EventFilter filter(*trace_, titles_, filter_);
  const std::size_t count = std::min<std::size_t>(events_.size(), std::numeric_limits<int>::max());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Event& event = events_[i];
    if ((!sub_ || trace_->lanes[event.lane].sub == *sub_) && filter.takes(event.lane, event.span)) {
      shown_.push_back(i);
    }
  }
  put_in_order();
}

void EventModel::put_in_order() {
  const bool by_time = sorted_by_ == kTime || sorted_by_ == kWallTime;
  if (by_time || trace_ == nullptr) {
    std::ranges::sort(shown_);
  } else {
    const EventRanks ranks(*trace_, titles_);
    std::vector<std::pair<EventRanks::Key, std::uint32_t>> keys;
    keys.reserve(shown_.size());
    for (const std::uint32_t i : shown_) {
      const Event& event = events_[i];
      keys.emplace_back(sorted_by_ == kLane   ? ranks.by_lane(event.lane)
                        : sorted_by_ == kWhat ? ranks.by_what(event.lane, event.span)
                                              : ranks.by_detail(event.lane, event.span),
                        i);
    }
    std::ranges::sort(keys);
    std::ranges::transform(keys, shown_.begin(), [](const auto& key) { return key.second; });
  }
  if (order_ == Qt::DescendingOrder) {
    std::ranges::reverse(shown_);
  }
}

void EventModel::sort(int column, Qt::SortOrder order) {
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList held = persistentIndexList();
  std::vector<std::uint32_t> events;
  for (const QModelIndex& index : held) {
    events.push_back(shown_.at(static_cast<std::size_t>(index.row())));
  }
  sorted_by_ = column;
  order_ = order;
  put_in_order();
  for (qsizetype i = 0; i < held.size(); ++i) {
    // A table holds few of them: the current row, and what is selected.
    const auto at = std::ranges::find(shown_, events[static_cast<std::size_t>(i)]);
    changePersistentIndex(held[i], index(static_cast<int>(at - shown_.begin()), held[i].column()));
  }
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

const EventModel::Event& EventModel::event_at(int row) const {
  return events_[shown_.at(static_cast<std::size_t>(row))];
}

Place EventModel::place_at(int row) const {
  if (trace_ == nullptr || row < 0 || row >= rowCount()) {
    return {};
  }
  const Event& event = event_at(row);
  return place_of_span(*trace_, event.lane, event.span);
}

int EventModel::nearest(std::int64_t t_us) const {
  const auto found = std::ranges::min_element(
      shown_, {}, [&](std::uint32_t i) { return apart(events_[i].t_us, t_us); });
  return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

int EventModel::row_of(std::uint32_t lane, std::uint32_t span) const {
  const auto found = std::ranges::find_if(
      shown_, [&](std::uint32_t i) { return events_[i].lane == lane && events_[i].span == span; });
  return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

int EventModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int EventModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString EventModel::text_at(const Event& event, int column) const {
  switch (column) {
    case kTime:
      return time_words(event.t_us);
    case kWallTime: {
      std::int64_t wall_us = 0;
      const bool known = start_us_ && !__builtin_add_overflow(*start_us_, event.t_us, &wall_us);
      return known ? QString::fromStdString(format_wall(wall_us, 1'000'000)) : QString();
    }
    case kLane:
      return shown_text(trace_->entities[trace_->lanes[event.lane].entity]);
    case kWhat:
      return what_of(*trace_, event.lane, event.span);
    default:
      return detail_of(*trace_, titles_, event.lane, event.span);
  }
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || trace_ == nullptr) {
    return {};
  }
  const Event& event = event_at(index.row());
  if (role == Qt::DisplayRole) {
    return text_at(event, index.column());
  }
  if (role == Qt::ToolTipRole) {
    // Escaped, since a tip that looks like markup is taken for it.
    return index.column() == kTime ? tr("%1 us").arg(event.t_us)
                                   : text_at(event, index.column()).toHtmlEscaped();
  }
  return {};
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
      section >= kColumns) {
    return {};
  }
  return tr(kEventTitles.at(static_cast<std::size_t>(section)));
}

}  // namespace aftershock::gui
