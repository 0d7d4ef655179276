#pragma once

class QWidget;

namespace aftershock::gui {

/// Names the buttons that Qt itself puts into fields (to clear them) and tables (their corner), and
/// leaves without a name for a screen reader. To be called when they are there.
void name_inner_buttons(QWidget& widget);

}  // namespace aftershock::gui
