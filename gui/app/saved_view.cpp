#include "gui/app/saved_view.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/app/typed_time.h"
#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

const QString kAllOpen = QStringLiteral("*");

const Scene* scene_of(const Timeline& timeline) {
  return timeline.session() == nullptr ? nullptr : timeline.session()->scene();
}

QString name_of_lane(const Directory& directory, const std::optional<LaneKey>& lane) {
  return lane ? QString::fromStdString(text_of(directory, *lane)) : QString();
}

QStringList names_of(const Directory& directory, const std::vector<LaneKey>& lanes) {
  QStringList names;
  for (const LaneKey& lane : lanes) {
    names << name_of_lane(directory, lane);
  }
  return names;
}

/// In the order of the names.
std::vector<LaneKey> lanes_of(const Directory& directory, const QStringList& names) {
  std::vector<LaneKey> lanes;
  for (const QString& name : names) {
    if (const auto lane = key_of(directory, name.toStdString())) {
      lanes.push_back(*lane);
    }
  }
  return lanes;
}

void put_in_order(std::vector<LaneKey>& lanes) {
  std::ranges::sort(lanes);
  const auto twice = std::ranges::unique(lanes);
  lanes.erase(twice.begin(), twice.end());
}

bool is_run(const LaneKey& lane) { return lane.run > 1; }

QStringList expanded_of(const Directory& directory, const LaneState& lanes) {
  if (!lanes.all_open) {
    return names_of(directory, lanes.exceptions);
  }
  std::vector<LaneKey> named;
  std::ranges::copy_if(lanes.exceptions, std::back_inserter(named),
                       [](const LaneKey& lane) { return !is_run(lane); });
  named.insert(named.end(), lanes.open_runs.begin(), lanes.open_runs.end());
  return QStringList{kAllOpen} + names_of(directory, named);
}

void set_expanded(LaneState& state, const Directory& directory, const QStringList& names) {
  state.all_open = !names.isEmpty() && names.front() == kAllOpen;
  state.exceptions = lanes_of(directory, names);
  put_in_order(state.exceptions);
  state.open_runs.clear();
  std::ranges::copy_if(state.exceptions, std::back_inserter(state.open_runs), is_run);
  if (state.all_open) {
    std::erase_if(state.exceptions, is_run);
  }
}

}  // namespace

SavedView view_now(const Timeline& timeline) {
  const Scene* scene = scene_of(timeline);
  if (scene == nullptr) {
    return {};
  }
  const ViewState& state = timeline.state();
  return {.begin_us = state.shown.begin_us,
          .end_us = state.shown.end_us,
          .cursor_us = state.cursor_us,
          .lane = name_of_lane(scene->directory(), state.lane),
          .top = name_of_lane(scene->directory(), timeline.top_lane())};
}

void go_to_view(Timeline& timeline, const SavedView& view) {
  const Scene* scene = scene_of(timeline);
  if (scene == nullptr) {
    return;
  }
  const auto key = [&](const QString& name) {
    return key_of(scene->directory(), name.toStdString());
  };
  timeline.go_to(view.cursor_us, key(view.lane));
  if (view.end_us > view.begin_us) {
    ViewState next = timeline.state();
    next.shown = {view.begin_us, view.end_us};
    timeline.change(std::move(next), Joining::kJoined);
  }
  if (const auto top = key(view.top)) {
    timeline.show_at_top(*top);
  }
}

void put_view(const Timeline& timeline, Sidecar& to) {
  const Scene* scene = scene_of(timeline);
  if (scene == nullptr) {
    return;
  }
  const LaneState& lanes = timeline.state().lanes;
  to.view = view_now(timeline);
  to.lane_height = timeline.chosen_row_px();
  to.pins = names_of(scene->directory(), lanes.pinned);
  to.hidden = names_of(scene->directory(), lanes.hidden);
  to.expanded = expanded_of(scene->directory(), lanes);
}

void take_view(const Sidecar& from, Timeline& timeline, bool with_place) {
  const Scene* scene = scene_of(timeline);
  if (scene == nullptr) {
    return;
  }
  ViewState next = timeline.state();
  next.lanes.pinned = lanes_of(scene->directory(), from.pins);
  next.lanes.hidden = lanes_of(scene->directory(), from.hidden);
  put_in_order(next.lanes.hidden);
  if (from.view) {
    set_expanded(next.lanes, scene->directory(), from.expanded);
  }
  if (from.lane_height > 0) {
    timeline.set_row_px(from.lane_height);
  }
  timeline.change(std::move(next));
  // Of a run that is recorded only in part, the place may be where nothing is.
  if (!with_place || !from.view || from.view->begin_us >= timeline.run().end_us) {
    return;
  }
  next = timeline.state();
  next.cursor_us = from.view->cursor_us;
  next.lane = key_of(scene->directory(), from.view->lane.toStdString());
  if (from.view->end_us > from.view->begin_us) {
    next.shown = {from.view->begin_us, from.view->end_us};
  }
  timeline.change(std::move(next), Joining::kJoined);
  if (const auto top = key_of(scene->directory(), from.view->top.toStdString())) {
    timeline.show_at_top(*top);
  }
}

bool is_untouched(const Timeline& timeline) {
  const ViewState& state = timeline.state();
  return state.cursor_us == 0 && !state.lane && !state.selection && state.lanes.pinned.empty() &&
         state.lanes.hidden.empty() && state.shown == limits_of(timeline.run());
}

QStringList view_words(const Timeline& timeline) {
  const Scene* scene = scene_of(timeline);
  if (scene == nullptr) {
    return {};
  }
  const ViewState& state = timeline.state();
  const auto time = [](std::int64_t t_us) { return QString::fromStdString(typed_text(t_us)); };
  QStringList words;
  if (state.shown != limits_of(timeline.run())) {
    // Together with their values: one before the start of the run begins with a minus.
    words << QStringLiteral("--from=%1").arg(time(state.shown.begin_us))
          << QStringLiteral("--to=%1").arg(time(state.shown.end_us));
  }
  if (state.cursor_us != 0 || state.lane) {
    words << QStringLiteral("--at") << time(state.cursor_us);
  }
  if (state.lane) {
    words << QStringLiteral("--select") << name_of_lane(scene->directory(), state.lane);
  }
  if (const auto range = selected_range(state)) {
    words << QStringLiteral("--range=%1..%2").arg(time(range->begin_us), time(range->end_us));
  }
  return words;
}

}  // namespace aftershock::gui
