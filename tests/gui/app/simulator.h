#pragma once

#include <QString>

#include "tests/unit/simulator_path.h"

namespace aftershock::gui::testing {

/// The program under test that records, and what it is given.
inline const QString kSimulator = QString::fromUtf8(aftershock::testing::kSimulatorPath);
inline const QString kQuickstart = QStringLiteral("scenarios/quickstart.json");
/// Milliseconds in which a run of it has long ended.
inline constexpr int kLong = 60000;

}  // namespace aftershock::gui::testing
