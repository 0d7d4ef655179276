#pragma once

#include <cstdint>

#include "sim/advise/advice.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::advise {

/// Runs of a choice at another rate of failure than the present, after which the first look is
/// taken at whether it keeps the goal. None of 100 that fails or is stuck leaves 3.7 % possible,
/// less than the usual goal allows.
inline constexpr std::uint32_t kFirstLook = 100;

/// Limits the choices at other rates to the runs of the first look. Those at the present rate,
/// whose paired differences decide, have all.
void begin_looks(const AdviceQuestion& question, sweep::Plan& plan);

/// Doubles the runs of each choice at another rate of which those so far, from which `advice` is,
/// leave open whether it keeps the goal. False where none is left, or all runs are made.
bool look_again(const AdviceQuestion& question, const Advice& advice, sweep::Plan& plan);

}  // namespace aftershock::sim::advise
