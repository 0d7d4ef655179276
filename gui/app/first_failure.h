#pragma once

#include <QString>
#include <QStringList>

#include "gui/app/run_again_dialog.h"

namespace aftershock::gui {

/// Warnings of what a wish would recover nothing of, a sentence each: the scenario's first job is
/// run alone, without its faults, once with a worker that crashes as it trains and once with a node
/// that is lost then. Empty where it goes on after both, where the scenario has no job, and where
/// `simulator` cannot run it.
QStringList unrecovered(const QString& simulator, const QString& scenario, const RunAgain& wish);

}  // namespace aftershock::gui
