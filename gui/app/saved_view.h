#pragma once

#include <QStringList>

#include "gui/sidecar/sidecar.h"

namespace aftershock::gui {

class Timeline;

// A view of a run between a timeline and what is kept of it. Lanes are kept by name: those that a
// recording does not have are passed over. A timeline that shows nothing has an empty view.

/// The present view.
SavedView view_now(const Timeline& timeline);
/// Goes there; to be undone in one step. Of a view that is an instant the zoom stays as it is.
void go_to_view(Timeline& timeline, const SavedView& view);

/// How a run is left: what is in view, and what a user has made of its lanes.
void put_view(const Timeline& timeline, Sidecar& to);
/// Back to it. Without `with_place` only the lanes: open, pinned, hidden, and their height.
void take_view(const Sidecar& from, Timeline& timeline, bool with_place);
/// Whether nobody has moved anything since the run was opened.
bool is_untouched(const Timeline& timeline);

/// Options of aftershock-viewer that open this view: "--at", "2d4h", "--select", "job:llm",
/// "--range=2d..2d4h" for the time that is selected.
QStringList view_words(const Timeline& timeline);

}  // namespace aftershock::gui
