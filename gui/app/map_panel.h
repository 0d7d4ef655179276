#pragma once

namespace aftershock::gui {

class ClusterMap;
class MainWindow;
class Workspace;

/// Adds the cluster map as a panel: it follows the timeline's cursor, and what is chosen in it is
/// gone to in the timeline. Both outlive it, the window owns it.
ClusterMap& add_map_panel(MainWindow& window, Workspace& workspace);

}  // namespace aftershock::gui
