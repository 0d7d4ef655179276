#pragma once

class QDockWidget;

namespace aftershock::gui {

class EventTable;
class MainWindow;
class Workspace;

/// Adds a field to the toolbar that finds what the field of the table of events does, and shows the
/// table, which is in `drawer`, when something is typed. All of them outlive the window's toolbar.
void add_search_box(MainWindow& window, Workspace& workspace, EventTable& events,
                    QDockWidget& drawer);

}  // namespace aftershock::gui
