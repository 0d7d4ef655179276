#include "gui/panels/event_model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>

#include "gui/panels/event_words.h"
#include "gui/view/wall_time.h"

namespace aftershock::gui {

namespace {

constexpr std::array kEventTitles{"Time", "Date and time", "Lane", "What", "Detail"};

/// So many rows that do not stand at the end are put in one by one.
constexpr std::ptrdiff_t kSingleRows = 1000;

std::uint64_t apart(std::int64_t a, std::int64_t b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

}  // namespace

void EventModel::set_trace(const Trace* trace, const std::string& path) {
  beginResetModel();
  trace_ = trace;
  path_ = path;
  words_.reset();
  titles_ = {};
  events_.clear();
  events_.shrink_to_fit();
  known_.clear();
  start_us_.reset();
  if (trace_ != nullptr) {
    titles_ = decision_titles(*trace_, path);
    const auto start = run_start(trace_->header.start);
    start_us_ = start ? std::optional(start->us) : std::nullopt;
    collect();
  }
  choose();
  endResetModel();
}

void EventModel::collect() {
  const auto first = static_cast<std::ptrdiff_t>(events_.size());
  if (first == 0) {
    events_.reserve(static_cast<std::size_t>(trace_->spans));
  }
  known_.resize(trace_->lanes.size(), 0);
  for (std::uint32_t lane = 0; lane < trace_->lanes.size(); ++lane) {
    const LaneSpans spans = trace_->lanes[lane].columns.spans();
    for (std::uint32_t i = known_[lane]; i < spans.size(); ++i) {
      events_.push_back({spans.begin_us[i], lane, i});
    }
    known_[lane] = static_cast<std::uint32_t>(spans.size());
  }
  std::sort(events_.begin() + first, events_.end(),
            [this](const Event& a, const Event& b) { return in_time(a) < in_time(b); });
}

// Events of one moment stand together: faults before those that they brought about.
std::tuple<std::int64_t, bool, std::uint32_t, std::uint32_t> EventModel::in_time(
    const Event& event) const {
  return {event.t_us, trace_->lanes[event.lane].sub != SubLane::kFaults, event.lane, event.span};
}

bool EventModel::is_before(std::uint32_t event, std::uint32_t other) const {
  return in_time(events_[event]) < in_time(events_[other]);
}

void EventModel::grow() {
  if (trace_ == nullptr) {
    return;
  }
  add_titles(titles_, *trace_, path_);
  words_->grow();
  const std::size_t before = events_.size();
  collect();
  std::vector<std::uint32_t> more = chosen_from(before);
  if (is_by_time()) {
    insert_in_time(std::move(more));
  } else {
    insert(shown_.size(), more);
    // Each time costs a look at all: with this much more in between, that is a few looks in all.
    if (events_.size() > ordered_ + ordered_ / 4) {
      sort(sorted_by_, order_);
    }
  }
  // Spans that have ended since say how long they lasted.
  if (!shown_.empty()) {
    Q_EMIT dataChanged(index(0, kWhat), index(rowCount() - 1, kDetail));
  }
}

void EventModel::insert(std::size_t row, const std::vector<std::uint32_t>& events) {
  if (events.empty()) {
    return;
  }
  beginInsertRows({}, static_cast<int>(row), static_cast<int>(row + events.size()) - 1);
  shown_.insert(shown_.begin() + static_cast<std::ptrdiff_t>(row), events.begin(), events.end());
  endInsertRows();
}

void EventModel::insert_in_time(std::vector<std::uint32_t> more) {
  const bool up = order_ == Qt::AscendingOrder;
  const auto in_order = [&](std::uint32_t a, std::uint32_t b) {
    return up ? is_before(a, b) : is_before(b, a);
  };
  auto rest = more.begin();
  if (!shown_.empty()) {
    // Of what happened at once some may stand before what is there.
    const std::uint32_t latest = up ? shown_.back() : shown_.front();
    rest = std::ranges::partition_point(
        more, [&](std::uint32_t event) { return is_before(event, latest); });
  }
  if (rest - more.begin() > kSingleRows) {
    beginResetModel();
    choose();
    endResetModel();
    return;
  }
  for (auto event = more.begin(); event != rest; ++event) {
    const auto at = std::ranges::upper_bound(shown_, *event, in_order);
    insert(static_cast<std::size_t>(at - shown_.begin()), {*event});
  }
  more.erase(more.begin(), rest);
  if (!up) {
    std::ranges::reverse(more);
  }
  insert(up ? shown_.size() : 0, more);
}

void EventModel::set_filter(const QString& text, std::optional<SubLane> sub) {
  beginResetModel();
  filter_ = text;
  sub_ = sub;
  choose();
  endResetModel();
}

std::vector<std::uint32_t> EventModel::chosen_from(std::size_t first) const {
  std::vector<std::uint32_t> chosen;
  const std::size_t count = std::min<std::size_t>(events_.size(), std::numeric_limits<int>::max());
  for (std::size_t i = first; i < count; ++i) {
    const Event& event = events_[i];
    if ((!sub_ || trace_->lanes[event.lane].sub == *sub_) &&
        words_->takes(event.lane, event.span)) {
      chosen.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return chosen;
}

void EventModel::choose() {
  shown_.clear();
  if (trace_ == nullptr) {
    return;
  }
  words_.emplace(*trace_, titles_, filter_);
  shown_ = chosen_from(0);
  put_in_order();
}

void EventModel::put_in_order() {
  if (trace_ == nullptr) {
    return;
  }
  ordered_ = events_.size();
  const auto in_order = [this](std::uint32_t a, std::uint32_t b) { return is_before(a, b); };
  std::ranges::sort(shown_);
  if (!std::ranges::is_sorted(shown_, in_order)) {
    std::ranges::sort(shown_, in_order);
  }
  if (!is_by_time()) {
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
    // Of equal ones the earlier comes first.
    std::ranges::stable_sort(keys, {}, &std::pair<EventRanks::Key, std::uint32_t>::first);
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
