#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/advise/advice.h"

namespace aftershock::sim::cli {

/// More combinations than these are searched, and not all run.
inline constexpr std::size_t kMostTriedWhole = 24;

/// Runs these choices at the present rate of failure, each so many times, and says what they came
/// to, in their order; none, with a word on standard error, where that was not done.
using TryChoices = std::function<std::optional<std::vector<ChoiceResult>>(const std::vector<Point>&,
                                                                          std::uint32_t)>;

/// Narrows the question's choices down to a few around the best, by fewer runs each: its dimensions
/// one after the other, beginning at what the scenario has, then together with their neighbours.
/// All choices meet the same faults. Says in words how many were tried; none where runs were not
/// made. The choice of the scenario stays among them.
std::optional<std::string> narrow_choices(AdviceQuestion& question, const TryChoices& try_choices);

}  // namespace aftershock::sim::cli
