#pragma once

#include <string>

#include "gui/app/arguments.h"

namespace aftershock::gui {

class MainWindow;
class Workspace;

/// Goes where the arguments say, once the recording has been read; empty, or what is wrong with
/// them.
std::string go_to_place(Workspace& workspace, const Arguments& arguments);

/// Runs the event loop until what was opened in the window has been read, goes where the arguments
/// say, and saves a picture of it. The program's exit code: 0; 2, and said why on standard error,
/// where there is nothing to show or the picture cannot be written.
int take_screenshot(MainWindow& window, Workspace& workspace, const Arguments& arguments);

}  // namespace aftershock::gui
