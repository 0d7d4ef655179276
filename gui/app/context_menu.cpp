#include "gui/app/context_menu.h"

#include <initializer_list>

#include "gui/app/main_window.h"
#include "gui/app/workspace.h"

namespace aftershock::gui {

namespace {

using Groups = std::initializer_list<std::initializer_list<ActionId>>;

/// With lines between groups; what nobody handles, or cannot be done now, is left out.
void add_groups(QMenu& menu, const ActionSet& actions, const Groups& groups) {
  for (const auto& group : groups) {
    bool has_any = false;
    for (const ActionId id : group) {
      if (actions.is_handled(id) && actions.action(id)->isEnabled()) {
        menu.addAction(actions.action(id));
        has_any = true;
      }
    }
    if (has_any) {
      menu.addSeparator();
    }
  }
}

}  // namespace

ContextMenu::ContextMenu(MainWindow& window, Workspace& workspace)
    : QObject(&window), window_(window) {
  for (int run = 0; run < 2; ++run) {
    Pane* pane = &workspace.pane(run);
    connect(&pane->timeline(), &Timeline::menu_asked, this,
            [this, &workspace, pane](TimelinePart part, const QPoint& at) {
              // Runs may have been swapped.
              workspace.take_to_hand(pane == &workspace.pane(0) ? 0 : 1);
              open(part, at);
            });
  }
}

void ContextMenu::open(TimelinePart part, const QPoint& at) {
  using enum ActionId;
  if (menu_ != nullptr) {
    menu_->close();
  }
  menu_ = new QMenu(&window_);
  menu_->setAttribute(Qt::WA_DeleteOnClose);
  const ActionSet& actions = window_.actions();
  switch (part) {
    case TimelinePart::kLabels:
      add_groups(*menu_, actions,
                 {{kToggleLane, kExpandAll, kCollapseAll},
                  {kPinLane, kHideLane, kShowHidden},
                  {kLanesTaller, kLanesShorter, kFindLane}});
      break;
    case TimelinePart::kLanes:
      add_groups(*menu_, actions,
                 {{kFocusSelection, kHourAround, kSelectRange},
                  {kToCause, kToEffect},
                  {kNote, kNoteRange, kPinLane, kHideLane},
                  {kCopyTime, kCopyCommand, kRunAgain}});
      break;
    case TimelinePart::kRuler:
      add_groups(*menu_, actions,
                 {{kHourAround, kFitAll, kUndoView},
                  {kNote, kBookmark},
                  {kCopyTime, kGoToTime, kWallClock}});
      break;
  }
  menu_->popup(at);
}

}  // namespace aftershock::gui
