#pragma once

#include <vector>

#include "sim/advise/advice.h"
#include "sim/cli/many/advise_search.h"

namespace aftershock::sim::cli {

/// Tries what may keep runs of the told choice from failing or being stuck: each change on the
/// seeds of a few of its runs that did, then those that saved most of them by many runs; by as many
/// as the choice had where it keeps the goal, so that its few failures are among them. Where no
/// choice keeps the goal and none cures, the same again with the one that helped most. The most
/// helpful first; empty where all runs of the choice live.
std::vector<advise::TriedCure> try_cures(const advise::Advice& advice,
                                         const advise::AdviceQuestion& question,
                                         const sweep::Plan& plan, const TryChoices& try_choices);

}  // namespace aftershock::sim::cli
