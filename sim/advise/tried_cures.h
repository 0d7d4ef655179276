#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

/// How much a change helps that was tried on a choice.
enum class Help : std::uint8_t { kCures, kHelps, kNot };

/// "cures", "helps", "not"
std::string_view name_of(Help help);

/// A change that brings more useful work by a hundredth, by the lower end of its interval, and
/// lets no fewer runs live is a help at least. Where the choice keeps the goal a cure leaves no run
/// that fails or is stuck, and a help saves five of the same runs or more, as chance does once in
/// 32 times. Where it does not, a cure keeps the goal as a choice must, and a help lets more runs
/// live by the lower end of its interval.
Help help_of(const TriedCure& cure, const ChoiceResult& without);

/// Cures with the most helpful first: those that cure, then those that help; of them those that
/// keep the goal as a choice must, of them those within 1 % of the best by the objective, of them
/// those of which the most runs live, of them the simplest, in the order in which they come.
std::vector<TriedCure> by_help(std::vector<TriedCure> cures, const scenario::Expression& goal,
                               const ChoiceResult& without);

}  // namespace aftershock::sim::advise
