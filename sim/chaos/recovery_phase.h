#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sim/scenario/phase.h"

namespace aftershock::sim::chaos {

/// The processes that work in a phase, and so can be struck in it.
enum class Processes : unsigned char {
  kAll,     ///< every rank has a process that works or waits for the others
  kLeft,    ///< the attempt is broken, and what is left of it waits
  kStops,   ///< the rest is being stopped, and cannot fail any more
  kStarts,  ///< containers and processes are being made
  kNone,    ///< the job holds no process
};

/// A row of the recovery matrix: a phase of a job, under its name in chaos.md 5.6.
struct RecoveryPhase {
  std::string_view id;  ///< "P06"; two phases of a scenario may share one, and restoring is two
  scenario::Phase phase;
  bool in_recovery;  ///< is entered because something broke; the others, by healthy jobs too
  Processes processes;
  std::string_view held;  ///< the law when it is struck, whatever the policy (chaos.md 5.6)
};

/// All rows, in the order of their ids. A resize has none of its own: it goes through the phases of
/// a restart.
std::span<const RecoveryPhase> recovery_phases();

}  // namespace aftershock::sim::chaos
