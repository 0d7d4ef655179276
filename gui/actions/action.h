#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::gui {

/// Every action of the viewer; what each is called and does is in `action_table`.
enum class ActionId : std::uint8_t {
  kOpenFile,
  kOpenSecond,
  kReload,
  kRunAgain,
  kStopRun,
  kFollow,
  kExportPng,
  kExportSvg,
  kExportSlide,
  kExportCsv,
  kExportPerfetto,
  kCopyCommand,
  kClose,
  kQuit,

  kSearch,
  kSearchNext,
  kSearchPrevious,
  kFindLane,
  kSelectRange,
  kCopyTime,
  kClearSelection,
  kUndoView,
  kRedoView,

  kZoomIn,
  kZoomInMore,
  kZoomOut,
  kZoomOutMore,
  kPanLeft,
  kPanLeftPage,
  kPanRight,
  kPanRightPage,
  kFitAll,
  kHourAround,
  kToStart,
  kToEnd,
  kFocusSelection,
  kLaneUp,
  kLaneDown,
  kLanePageUp,
  kLanePageDown,
  kToggleLane,
  kExpandAll,
  kCollapseAll,
  kLanesTaller,
  kLanesShorter,
  kPinLane,
  kHideLane,
  kShowHidden,
  kWallClock,
  kDark,
  kLight,
  kScaleUp,
  kScaleDown,
  kScaleReset,
  kFullScreen,

  kInspector,
  kDrawer,
  kFaultTable,
  kTrialTable,
  kClusterMap,
  kLedger,
  kComparison,
  kBudgets,
  kBookmarkList,
  kNextPane,
  kPreviousPane,

  kNextEvent,
  kPreviousEvent,
  kStepForward,
  kStepBack,
  kNextFault,
  kPreviousFault,
  kNextDecision,
  kPreviousDecision,
  kNextAttempt,
  kPreviousAttempt,
  kNextCheckpoint,
  kPreviousCheckpoint,
  kToEffect,
  kToCause,
  kGoToTime,

  kPlay,
  kReverse,
  kStop,
  kForward,
  kSlower,
  kFaster,
  kLoop,
  kPlayEvents,
  kSlowAtFaults,

  kNote,
  kNoteRange,
  kDeleteNote,
  kBookmark,
  kGoSlot1,
  kGoSlot9 = kGoSlot1 + 8,
  kStoreSlot1,
  kStoreSlot9 = kStoreSlot1 + 8,

  kCompare,
  kOtherRun,
  kSwap,
  kLinkCursors,
  kAlignTime,
  kAlignFault,
  kAlignProgress,
  kNextDivergence,
  kPreviousDivergence,

  kPalette,
  kKeySheet,
  kLegend,
  kAbout,
  kCount
};

/// Where the keys of an action act.
enum class Scope : std::uint8_t {
  kWindow,    ///< anywhere, but where text is typed that the key would write
  kTimeline,  ///< while the timeline, or a part of it, has the focus
};

/// The form of an action in a menu.
enum class Check : std::uint8_t {
  kPlain,
  kToggle,  ///< on or off
  kChoice,  ///< one of those of its menu and group
};

/// One row of the table.
struct ActionSpec {
  ActionId id = ActionId::kCount;
  std::string name;   ///< stable, for settings: "view.zoom_in"
  std::string menu;   ///< a path: "View", "View/Theme"
  std::string group;  ///< between separators of its menu, and the heading in the sheet of keys
  std::string text;   ///< as in the menu
  std::string keys;   ///< QKeySequence's portable texts with spaces between; may be empty
  Scope scope = Scope::kWindow;
  std::string help;  ///< one sentence
  Check check = Check::kPlain;
  std::string search_keys = {};  ///< further keys, that act in the search field
};

/// All actions, menus in their order and each menu's actions together; made once. It holds
/// the keyboard map: menus, shortcuts, the sheet of keys and the palette are made from it.
const std::vector<ActionSpec>& action_table();

/// Parts of the table, a file each.
std::vector<ActionSpec> file_and_edit_actions();
std::vector<ActionSpec> view_actions();
std::vector<ActionSpec> go_actions();

/// The places that a digit goes to.
inline constexpr int kSlots = 9;
/// The action that goes to a place, or stores one; `slot` counts from 1 to kSlots.
ActionId go_slot(int slot);
ActionId store_slot(int slot);

/// The parts of `text` between spaces.
std::vector<std::string_view> split_keys(std::string_view text);

}  // namespace aftershock::gui
