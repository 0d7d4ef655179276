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
  Timeline& timeline = workspace.timeline();
  QObject::connect(&workspace, &Workspace::session_opened, map, &ClusterMap::set_session);
  QObject::connect(&timeline, &Timeline::cursor_moved, map, &ClusterMap::set_cursor);
  QObject::connect(&timeline, &Timeline::state_changed, map,
                   [map, &timeline] { map->mark_lane(timeline.state().lane); });
  QObject::connect(map, &ClusterMap::node_chosen, &timeline, [&timeline](const LaneKey& lane) {
    timeline.go_to(timeline.state().cursor_us, lane);
  });
  return *map;
}

}  // namespace aftershock::gui
