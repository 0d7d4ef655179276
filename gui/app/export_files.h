#pragma once

#include <QString>

#include "gui/app/run_title.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/view_export.h"

namespace aftershock::gui {

// Each writes a file whole or not at all. The answer is empty, or says what is wrong.

/// The timeline as it is seen, as a PNG.
QString save_picture(Timeline& timeline, const QString& title, const QString& path);
/// The same as an SVG.
QString save_drawing(Timeline& timeline, const QString& title, const QString& path);
/// A slide as a PNG, and as an SVG.
QString save_slide(Timeline& timeline, const QString& title, const Slide& slide,
                   const QString& path);
QString save_slide_drawing(Timeline& timeline, const QString& title, const Slide& slide,
                           const QString& path);
/// The selection, else all in view (see choice_of), as a table of comma-separated values.
QString save_table(RunSession& session, const ViewState& state, const QString& path);
/// The same spans as a trace for ui.perfetto.dev.
QString save_perfetto(RunSession& session, const ViewState& state, const QString& path);

/// "quickstart 2d_03-12-07 to 3d_00-00-00": a name without an ending for what is exported of a run,
/// of letters, digits and - _ . alone but for spaces.
QString export_name(const RunTitle& title, const TimeRange& range);

/// "quickstart, seed 1, ray@1 (08c42a21acd4), from 0 s to 3 d".
QString export_title(const RunTitle& title, const TimeRange& range);

}  // namespace aftershock::gui
