#include <QScrollBar>
#include <algorithm>
#include <functional>

#include "gui/actions/picker.h"
#include "gui/timeline/layout.h"
#include "gui/timeline/timeline.h"
#include "gui/view/time_units.h"

// The actions of keys and menus on a timeline.
namespace aftershock::gui {

namespace {

constexpr double kStep = 2;
constexpr double kFar = 16;
constexpr double kPan = 0.15;
constexpr double kPage = 1;

}  // namespace

ActionHandlers Timeline::handlers() {
  ActionHandlers actions;
  handle_view_actions(actions);
  handle_lane_actions(actions);
  handle_jump_actions(actions);
  handle_range_actions(actions);
  return actions;
}

void Timeline::handle_view_actions(ActionHandlers& actions) {
  using enum ActionId;
  const auto when_open = [this](std::function<void()> run) {
    return [this, run = std::move(run)] {
      if (scene() != nullptr) {
        run();
      }
    };
  };
  const auto to_zoom = [&](double factor) {
    return when_open([this, factor] {
      const bool seen =
          state_.cursor_us >= state_.shown.begin_us && state_.cursor_us < state_.shown.end_us;
      zoom(factor, seen
                       ? state_.cursor_us
                       : state_.shown.begin_us + (state_.shown.end_us - state_.shown.begin_us) / 2);
    });
  };
  const auto to_show = [&](std::function<TimeRange()> range) {
    return when_open([this, range = std::move(range)] {
      ViewState next = state_;
      next.shown = range();
      change(std::move(next));
    });
  };
  actions.handle(kZoomIn, to_zoom(kStep));
  actions.handle(kZoomInMore, to_zoom(kFar));
  actions.handle(kZoomOut, to_zoom(1 / kStep));
  actions.handle(kZoomOutMore, to_zoom(1 / kFar));
  actions.handle(kPanLeft, when_open([this] { pan(-kPan); }));
  actions.handle(kPanLeftPage, when_open([this] { pan(-kPage); }));
  actions.handle(kPanRight, when_open([this] { pan(kPan); }));
  actions.handle(kPanRightPage, when_open([this] { pan(kPage); }));
  actions.handle(kFitAll, to_show([this] { return limits_of(run()); }));
  actions.handle(kHourAround, to_show([this] {
                   return clamped(
                       {state_.cursor_us - units::kHour, state_.cursor_us + units::kHour}, run());
                 }));
  actions.handle(kToStart, when_open([this] { go_to(run().begin_us, std::nullopt); }));
  actions.handle(kToEnd, when_open([this] { go_to(run().end_us, std::nullopt); }));
  actions.handle(kFocusSelection, when_open([this] { focus_selection(); }));
  actions.handle(kClearSelection, when_open([this] {
                   ViewState next = state_;
                   next.selection.reset();
                   change(std::move(next));
                 }));
  const auto to_history = [&](bool back) {
    return when_open([this, back] {
      const ViewState next = back ? history_.back() : history_.forward();
      // The view that the history is at already adds nothing to it.
      change(next);
    });
  };
  actions.handle(kUndoView, to_history(true));
  actions.handle(kRedoView, to_history(false));
  actions.handle_check(kWallClock, [this](bool on) { set_wall_clock(on); });
}

void Timeline::focus_selection() {
  if (!state_.selection) {
    return;
  }
  TimeRange wanted = state_.selection->time;
  if (const auto fault = selected_fault()) {
    // A fault is an instant: what one wants to see is what came of it.
    wanted.end_us = std::max(wanted.end_us, end_of_fault(scene()->trace(), *fault));
  }
  const TimeRange all = fitted(state_.shown, wanted, run());
  ViewState next = state_;
  next.shown = centred(state_.shown, state_.selection->time, run());
  if (next.shown == state_.shown || state_.shown == all) {
    next.shown = all;
  }
  change(std::move(next));
}

std::optional<std::uint32_t> Timeline::selected_fault() const {
  const auto& selection = state_.selection;
  if (scene() == nullptr || !selection || selection->content == kNowhere) {
    return std::nullopt;
  }
  const Content content = content_from(selection->content);
  const auto& lanes = scene()->trace().lanes;
  if (content.is_counter || content.index >= lanes.size()) {
    return std::nullopt;
  }
  const Lane& lane = lanes[content.index];
  return lane.sub == SubLane::kFaults && selection->span < lane.columns.size()
             ? std::optional(lane.columns.numbers()[selection->span])
             : std::nullopt;
}

void Timeline::change_lanes(const std::function<void(LaneState&, const LaneKey&)>& change_one) {
  if (scene() == nullptr || !state_.lane) {
    return;
  }
  ViewState next = state_;
  change_one(next.lanes, *state_.lane);
  change(std::move(next));
}

void Timeline::handle_lane_actions(ActionHandlers& actions) {
  using enum ActionId;
  const auto to_lanes = [this](std::function<void(LaneState&, const LaneKey&)> one) {
    return [this, one = std::move(one)] { change_lanes(one); };
  };
  actions.handle(kLaneUp, [this] { move_row(-1); });
  actions.handle(kLaneDown, [this] { move_row(1); });
  actions.handle(kLanePageUp, [this] { move_row(-layout_now().whole_rows()); });
  actions.handle(kLanePageDown, [this] { move_row(layout_now().whole_rows()); });
  actions.handle(kToggleLane, to_lanes([](LaneState& lanes, const LaneKey& lane) {
                   set_open(lanes, lane, !is_open(lanes, lane));
                 }));
  actions.handle(kExpandAll, to_lanes([this](LaneState& lanes, const LaneKey& lane) {
                   const auto node = gui::find(scene()->tree(), lane);
                   if (!node) {
                     return;
                   }
                   const auto& nodes = scene()->tree().nodes;
                   for (std::uint32_t i = *node; i < nodes[*node].end; ++i) {
                     if (nodes[i].end > i + 1 && !is_open(lanes, nodes[i].key)) {
                       set_open(lanes, nodes[i].key, true);
                     }
                   }
                 }));
  actions.handle(kCollapseAll, [this] {
    ViewState next = state_;
    set_all_open(next.lanes, false);
    change(std::move(next));
  });
  const auto taller = [this](int by) {
    row_px_ = std::clamp(row_px() + by, kLowestRow_px, kHighestRow_px);
    place_scrollbar();
    redraw();
  };
  actions.handle(kLanesTaller, [taller] { taller(2); });
  actions.handle(kLanesShorter, [taller] { taller(-2); });
  actions.handle(kPinLane, to_lanes([](LaneState& lanes, const LaneKey& lane) {
                   toggle_pinned(lanes, lane);
                 }));
  actions.handle(kHideLane, to_lanes([](LaneState& lanes, const LaneKey& lane) {
                   toggle_hidden(lanes, lane);
                 }));
  actions.handle(kShowHidden, [this] {
    ViewState next = state_;
    next.lanes.hidden.clear();
    change(std::move(next));
  });
  actions.handle(kFindLane, [this] { find_lane(); });
}

void Timeline::move_row(int by) {
  if (scene() == nullptr || rows_.nodes.empty()) {
    return;
  }
  const auto last = static_cast<std::int64_t>(rows_.nodes.size()) - 1;
  const std::uint32_t now = state_.lane ? row_near(scene()->tree(), rows_, *state_.lane) : kNowhere;
  const std::int64_t row = now == kNowhere
                               ? verticalScrollBar()->value()
                               : std::clamp<std::int64_t>(std::int64_t{now} + by, 0, last);
  ViewState next = state_;
  next.lane = scene()->tree().nodes[rows_.nodes[static_cast<std::size_t>(row)]].key;
  change(std::move(next), Joining::kJoined);
  show_row(static_cast<std::uint32_t>(row));
  announce(lane_text(*scene(), *state_.lane));
}

void Timeline::show_row(std::uint32_t row) {
  if (row == kNowhere) {
    return;
  }
  QScrollBar* bar = verticalScrollBar();
  const int at = static_cast<int>(row);
  const int whole = layout_now().whole_rows();
  bar->setValue(std::clamp(bar->value(), std::max(0, at - whole + 1), at));
}

void Timeline::find_lane() {
  if (scene() == nullptr) {
    return;
  }
  if (picker_ == nullptr) {
    picker_ = new Picker(tr("Find lane"), tr("Part of a lane's name"), window());
    connect(picker_, &Picker::picked, this, [this](int item) {
      const auto& nodes = scene()->tree().nodes;
      if (static_cast<std::size_t>(item) < nodes.size()) {
        go_to(state_.cursor_us, nodes[static_cast<std::size_t>(item)].key);
      }
    });
  }
  std::vector<PickItem> items;
  for (const LaneTree::Node& node : scene()->tree().nodes) {
    items.push_back({.text = lane_text(*scene(), node.key)});
  }
  picker_->pick_from(std::move(items));
}

}  // namespace aftershock::gui
