#pragma once

#include "policies/api/decision.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies::ray_train {

/// Everything that the workers of a group have shown so far: a poll of Ray shows all of it again.
struct Shown {
  RankSet dead;    ///< processes that have ended; they answer no poll any more
  RankSet raised;  ///< workers whose training function raised; they answer
  RankSet silent;  ///< given up for their silence, though they may run on
  ChargeCause cause = ChargeCause::kApplication;  ///< the strongest of these failures
  bool preempted = false;                         ///< a preemption has taken one of the dead

  RankSet announced;       ///< ranks that notices named
  TimeUs deadline_us = 0;  ///< the earliest that a notice told; 0: nobody knows

  /// All ranks that polls show errors of.
  [[nodiscard]] RankSet failed() const {
    RankSet ranks = dead;
    ranks.add(raised);
    ranks.add(silent);
    return ranks;
  }
};

}  // namespace aftershock::policies::ray_train
