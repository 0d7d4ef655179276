#include "gui/actions/action.h"

namespace aftershock::gui {

namespace {

std::vector<ActionSpec> time_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kZoomIn, "view.zoom_in", "View", "Zoom", "Zoom in", "W", kTimeline,
       "Show less time, twice as large, around the cursor."},
      {kZoomInMore, "view.zoom_in_more", "View", "Zoom", "Zoom in far", "Shift+W", kTimeline,
       "Zoom in four steps at once."},
      {kZoomOut, "view.zoom_out", "View", "Zoom", "Zoom out", "S", kTimeline,
       "Show twice as much time around the cursor."},
      {kZoomOutMore, "view.zoom_out_more", "View", "Zoom", "Zoom out far", "Shift+S", kTimeline,
       "Zoom out four steps at once."},
      {kFitAll, "view.fit_all", "View", "Zoom", "Whole run", "0", kTimeline,
       "Show the run from its start to its end."},
      {kHourAround, "view.hour_around", "View", "Zoom", "An hour around", "E", kTimeline,
       "Show the hour before the cursor and the hour after it."},
      {kFocusSelection, "view.focus_selection", "View", "Zoom", "Centre selection", "F", kTimeline,
       "Bring the selection to the middle; a second time, fill the view with it."},
      {kPanLeft, "view.pan_left", "View", "Pan", "Earlier", "A", kTimeline,
       "Move the view to earlier time."},
      {kPanLeftPage, "view.pan_left_page", "View", "Pan", "Earlier by a page", "Shift+A", kTimeline,
       "Move the view to the time just before what it shows."},
      {kPanRight, "view.pan_right", "View", "Pan", "Later", "D", kTimeline,
       "Move the view to later time."},
      {kPanRightPage, "view.pan_right_page", "View", "Pan", "Later by a page", "Shift+D", kTimeline,
       "Move the view to the time just after what it shows."},
      {kToStart, "view.to_start", "View", "Pan", "Start of the run", "Home", kTimeline,
       "Move the view to the start of the run."},
      {kToEnd, "view.to_end", "View", "Pan", "End of the run", "End", kTimeline,
       "Move the view to the end of the run."},
  };
}

std::vector<ActionSpec> lane_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kLaneUp, "lanes.up", "View/Lanes", "Move", "Lane above", "Up", kTimeline,
       "Move to the lane above."},
      {kLaneDown, "lanes.down", "View/Lanes", "Move", "Lane below", "Down", kTimeline,
       "Move to the lane below."},
      {kLanePageUp, "lanes.page_up", "View/Lanes", "Move", "Page up", "PgUp", kTimeline,
       "Move up by as many lanes as are in view."},
      {kLanePageDown, "lanes.page_down", "View/Lanes", "Move", "Page down", "PgDown", kTimeline,
       "Move down by as many lanes as are in view."},
      {kToggleLane, "lanes.toggle", "View/Lanes", "Fold", "Open or close lane", "Return Enter",
       kTimeline, "Open the group of lanes at the cursor, or close it."},
      {kExpandAll, "lanes.expand_all", "View/Lanes", "Fold", "Open all below", "Shift+Return",
       kTimeline, "Open the group of lanes at the cursor with all that is in it."},
      {kCollapseAll, "lanes.collapse_all", "View/Lanes", "Fold", "Close all", "Ctrl+Return",
       kTimeline, "Close every group of lanes."},
      {kLanesTaller, "lanes.taller", "View/Lanes", "Height", "Taller lanes", "Alt+Up", kTimeline,
       "Make lanes taller; Alt and the wheel do the same."},
      {kLanesShorter, "lanes.shorter", "View/Lanes", "Height", "Shorter lanes", "Alt+Down",
       kTimeline, "Make lanes shorter, down to a pixel each."},
      {kPinLane, "lanes.pin", "View/Lanes", "Keep", "Pin lane", "P", kTimeline,
       "Keep the lane at the top while others scroll; again to let it go."},
      {kHideLane, "lanes.hide", "View/Lanes", "Keep", "Hide lane", "H", kTimeline,
       "Take the lane out of sight."},
      {kShowHidden, "lanes.show_hidden", "View/Lanes", "Keep", "Show hidden lanes", "Shift+H",
       kTimeline, "Bring back all lanes that were hidden."},
  };
}

std::vector<ActionSpec> window_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kDark, "theme.dark", "View/Theme", "Theme", "Dark", "", kWindow, "Light on dark.",
       Check::kChoice},
      {kLight, "theme.light", "View/Theme", "Theme", "Light", "", kWindow, "Dark on light.",
       Check::kChoice},
      {kWallClock, "view.wall_clock", "View", "Window", "Wall-clock time", "", kWindow,
       "Label the ruler with dates, where the scenario says when it starts.", Check::kToggle},
      {kScaleUp, "view.scale_up", "View", "Window", "Larger text", "Ctrl++ Ctrl+=", kWindow,
       "Make all text larger."},
      {kScaleDown, "view.scale_down", "View", "Window", "Smaller text", "Ctrl+-", kWindow,
       "Make all text smaller."},
      {kScaleReset, "view.scale_reset", "View", "Window", "Normal text", "Ctrl+0", kWindow,
       "Back to the normal size of text."},
      {kFullScreen, "view.full_screen", "View", "Window", "Full screen", "F11", kWindow,
       "Fill the screen, or stop doing so.", Check::kToggle},

      {kInspector, "panel.inspector", "View/Panels", "Panels", "Inspector", "I", kTimeline,
       "Show or hide what is known about the selection.", Check::kToggle},
      {kDrawer, "panel.events", "View/Panels", "Panels", "Events", "Q", kTimeline,
       "Show or hide the table of events at the bottom.", Check::kToggle},
      {kFaultTable, "panel.faults", "View/Panels", "Panels", "Faults by cost", "Shift+Q", kTimeline,
       "Show or hide the table of all faults, the dearest first.", Check::kToggle},
      {kTrialTable, "panel.trials", "View/Panels", "Panels", "Trials", "Shift+J", kTimeline,
       "Show or hide the table of all trials, those with the most failures first.", Check::kToggle},
      {kClusterMap, "panel.map", "View/Panels", "Panels", "Cluster map", "G", kTimeline,
       "Show or hide the racks and nodes as they are at the cursor.", Check::kToggle},
      {kLedger, "panel.ledger", "View/Panels", "Panels", "Ledger", "", kWindow,
       "Show or hide where the time went.", Check::kToggle},
      {kBudgets, "panel.budgets", "View/Panels", "Panels", "Budgets", "", kWindow,
       "Show or hide how the retry budgets were used up.", Check::kToggle},
      {kComparison, "panel.comparison", "View/Panels", "Panels", "Comparison", "", kWindow,
       "Show or hide what two runs cost and where their policies part.", Check::kToggle},
      {kBookmarkList, "panel.bookmarks", "View/Panels", "Panels", "Bookmarks and notes", "",
       kWindow, "Show or hide the list of bookmarks and notes.", Check::kToggle},
      {kNextPane, "view.next_pane", "View/Panels", "Focus", "Next pane", "F6", kWindow,
       "Move the keyboard to the next part of the window."},
      {kPreviousPane, "view.previous_pane", "View/Panels", "Focus", "Previous pane", "Shift+F6",
       kWindow, "Move the keyboard to the part of the window before."},
  };
}

}  // namespace

std::vector<ActionSpec> view_actions() {
  std::vector<ActionSpec> all;
  for (const auto& part : {time_actions(), lane_actions(), window_actions()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace aftershock::gui
