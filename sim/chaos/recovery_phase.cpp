#include "sim/chaos/recovery_phase.h"

#include <array>

namespace aftershock::sim::chaos {

std::span<const RecoveryPhase> recovery_phases() {
  using enum Processes;
  static constexpr std::array<RecoveryPhase, 19> kPhases{{
      {"P00", scenario::Phase::kTraining, false, kAll,
       "only what was done since the last commit is lost"},
      {"P01", scenario::Phase::kCheckpointing, false, kAll,
       "the commit before can still be chosen"},
      {"P02", scenario::Phase::kUploading, false, kAll, "half a checkpoint is never chosen"},
      {"P03", scenario::Phase::kCommitting, false, kAll,
       "a checkpoint is committed once or not at all"},
      {"P04", scenario::Phase::kUndetected, true, kLeft,
       "the time to detection counts as lost once"},
      {"P05", scenario::Phase::kDraining, true, kAll, "a second loss joins the same recovery"},
      {"P06", scenario::Phase::kTearingDown, true, kStops, "a teardown can be begun twice"},
      {"P07", scenario::Phase::kDeciding, true, kLeft, "the innocent are not isolated"},
      {"SH", scenario::Phase::kSelfHealing, true, kNone,
       "healing that is overtaken does not count"},
      {"P08", scenario::Phase::kBackingOff, true, kLeft, "a failure does not begin the wait anew"},
      {"P09", scenario::Phase::kWaitingForCapacity, true, kNone, "nodes are asked for once"},
      {"P09", scenario::Phase::kProvisioning, true, kNone, "nodes that come late are given back"},
      {"P10", scenario::Phase::kLaunching, true, kStarts, "half a gang is released"},
      {"P11", scenario::Phase::kRendezvous, true, kAll, "a round ends, one way or the other"},
      {"P12-P13", scenario::Phase::kRestoring, true, kAll, "an older checkpoint is fallen back to"},
      {"P14", scenario::Phase::kWarmingUp, true, kAll, "it counts as an attempt without progress"},
      {"P15", scenario::Phase::kCatchingUp, true, kAll,
       "steps that are done again do not count as progress"},
      {"P17", scenario::Phase::kFinalizing, false, kAll, "it completes, or can be gone on with"},
      {"CD", scenario::Phase::kControllerDown, true, kNone,
       "a new controller knows what the old one stored"},
  }};
  return kPhases;
}

}  // namespace aftershock::sim::chaos
