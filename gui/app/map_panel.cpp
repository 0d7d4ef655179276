#include "gui/app/map_panel.h"

#include <QDockWidget>

#include "gui/app/main_window.h"
#include "gui/app/workspace.h"
#include "gui/map/cluster_map.h"

namespace aftershock::gui {

ClusterMap& add_map_panel(MainWindow& window, Workspace& workspace) {
  auto* map = new ClusterMap;
  QDockWidget* dock =
      window.add_panel(ActionId::kClusterMap, QStringLiteral("map"), map, Qt::RightDockWidgetArea);
  dock->hide();
  // Of a window that is not shown yet nobody is told that its panel is hidden.
  window.actions().show_checked(ActionId::kClusterMap, false);
  map->set_theme(window.theme());
  QObject::connect(&window, &MainWindow::theme_changed, map, &ClusterMap::set_theme);
  QObject::connect(&workspace, &Workspace::session_opened, map,
                   [map, &workspace](RunSession* session) {
                     map->set_session(session);
                     map->set_cursor(workspace.timeline().state().cursor_us);
                   });
  QObject::connect(&workspace, &Workspace::cursor_moved, map, &ClusterMap::set_cursor);
  QObject::connect(&workspace, &Workspace::state_changed, map,
                   [map, &workspace] { map->mark_lane(workspace.timeline().state().lane); });
  QObject::connect(map, &ClusterMap::node_chosen, &workspace, [&workspace](const LaneKey& lane) {
    workspace.timeline().go_to(workspace.timeline().state().cursor_us, lane);
  });
  return *map;
}

}  // namespace aftershock::gui
