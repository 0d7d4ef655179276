#pragma once

#include <QString>
#include <QStringList>

#include "gui/app/run_again_dialog.h"

namespace aftershock::gui {

/// Warnings of what a wish would recover nothing of, a sentence each: the scenario's first job is
/// run alone, without its faults, once with a worker that crashes as it trains and once with a node
/// that is lost then; or the one word of `simulator`, which takes no such settings. Empty where the
/// job goes on after both, and where the scenario has none.
QStringList unrecovered(const QString& simulator, const QString& scenario, const RunAgain& wish);

}  // namespace aftershock::gui
