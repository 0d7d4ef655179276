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

/// Runs these choices at the present rate of failure, each so many times, with seeds from a given
/// one or the plan's, and says what they came to, in their order; none, with a word on standard
/// error, where that was not done.
using TryChoices = std::function<std::optional<std::vector<advise::ChoiceResult>>(
    const std::vector<sweep::Point>& choices, std::uint32_t runs,
    std::optional<std::uint64_t> first_seed)>;

/// Whether choices are tried by few runs before all of them are by many: there are very many, and
/// not all are kept, or the model found values, beyond which the best may lie.
bool needs_search(const advise::AdviceQuestion& question, bool keep_all);

/// Finds the choices that are worth many runs by fewer: its dimensions one after the other,
/// beginning at what the scenario has; beyond the values of the model where the best of them is the
/// last; then, where there are more than kMostTriedWhole, together with their neighbours (unless
/// all are to be kept). Of values tried alone or together the better half gets all runs. All
/// choices meet the same faults. Says in words how many were tried; none where runs were not made.
/// The choice of the scenario stays among them.
std::optional<std::string> narrow_choices(advise::AdviceQuestion& question,
                                          const scenario::Scenario& scenario, bool keep_all,
                                          const TryChoices& try_choices);

}  // namespace aftershock::sim::cli
