#pragma once

#include <QString>

namespace aftershock::gui::testing {

/// The program under test that records, and what it is given.
inline const QString kSimulator = QStringLiteral(AFTERSHOCK_EXECUTABLE);
inline const QString kQuickstart = QStringLiteral("scenarios/quickstart.json");
/// Milliseconds in which a run of it has long ended.
inline constexpr int kLong = 60000;

}  // namespace aftershock::gui::testing
