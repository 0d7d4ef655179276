#include "gui/actions/action.h"

namespace aftershock::gui {

std::vector<ActionSpec> file_and_edit_actions() {
  using enum ActionId;
  using enum Scope;
  return {
      {kOpenFile, "file.open", "File", "Open", "Open…", "Ctrl+O", kWindow,
       "Open a recording, or a scenario, which is run first."},
      {kOpenSecond, "file.open_second", "File", "Open", "Open second run…", "Ctrl+Shift+O", kWindow,
       "Open a recording or a scenario beside the one that is open, to compare them."},
      {kReload, "file.reload", "File", "Open", "Reload", "Ctrl+R", kWindow,
       "Read the file again and stay at this place."},
      {kRunAgain, "file.run_again", "File", "Run", "Run again with…", "Ctrl+Shift+R", kWindow,
       "Run this scenario with another policy, profile, configuration or seed, as the second run."},
      {kStopRun, "file.stop_run", "File", "Run", "Stop the run", "Ctrl+.", kWindow,
       "End the simulation that is running; what it has recorded stays open."},
      {kFollow, "file.follow", "File", "Run", "Follow the end", "F5", kWindow,
       "Keep the newest records of a growing recording in view, until you move away.",
       Check::kToggle},
      {kExportPng, "file.export_png", "File", "Export", "Export view as PNG…", "Ctrl+E", kWindow,
       "Save what is seen as a picture."},
      {kExportSvg, "file.export_svg", "File", "Export", "Export view as SVG…", "Ctrl+Shift+E",
       kWindow, "Save what is seen as a drawing for papers and incident reports."},
      {kExportSlide, "file.export_slide", "File", "Export", "Export for slides…", "", kWindow,
       "Save or copy what is seen at a size, a scale and in a theme of its own."},
      {kExportCsv, "file.export_csv", "File", "Export", "Export selection as CSV…", "", kWindow,
       "Save the selected spans and events, or all in view, as a table."},
      {kExportPerfetto, "file.export_perfetto", "File", "Export", "Export as Perfetto trace…", "",
       kWindow, "Save the selection, or all in view, for ui.perfetto.dev."},
      {kCopyCommand, "file.copy_command", "File", "Export", "Copy command for this view",
       "Ctrl+Shift+C", kWindow,
       "Copy the command line that runs this scenario again and opens it at this place."},
      {kClose, "file.close", "File", "End", "Close", "Ctrl+W", kWindow,
       "Close what is open; notes and the view are kept."},
      {kQuit, "file.quit", "File", "End", "Quit", "Ctrl+Q", kWindow, "End the viewer."},

      {kSearch, "edit.search", "Edit", "Find", "Search", "/ Ctrl+F", kWindow,
       "Go to the search field; it finds lanes, faults, rules, events and notes."},
      {kSearchNext, "edit.search_next", "Edit", "Find", "Next hit", "F3", kWindow,
       "Go to the next thing found.", Check::kPlain, "Return Enter"},
      {kSearchPrevious, "edit.search_previous", "Edit", "Find", "Previous hit", "Shift+F3", kWindow,
       "Go to the thing found before.", Check::kPlain, "Shift+Return Shift+Enter"},
      {kFindLane, "edit.find_lane", "Edit", "Find", "Find lane…", "Ctrl+P", kWindow,
       "Go to a node, a job or another lane by parts of its name."},
      {kSelectRange, "edit.select_range", "Edit", "Selection", "Select its range of time", "R",
       kTimeline,
       "Make a range of time out of the selected span; dragging with Shift selects one, too."},
      {kCopyTime, "edit.copy_time", "Edit", "Selection", "Copy time", "Ctrl+C", kTimeline,
       "Copy the selected range, or the time of the cursor, as times are typed."},
      {kClearSelection, "edit.clear_selection", "Edit", "Selection", "Clear selection", "Esc",
       kTimeline, "Select nothing; in the search field: back to the timeline.", Check::kPlain,
       "Esc"},
      {kUndoView, "edit.undo_view", "Edit", "View history", "Undo view change", "Backspace Ctrl+Z",
       kTimeline, "Back to what was in view before."},
      {kRedoView, "edit.redo_view", "Edit", "View history", "Redo view change",
       "Shift+Backspace Ctrl+Shift+Z", kTimeline, "Forward again to what was in view."},
  };
}

}  // namespace aftershock::gui
