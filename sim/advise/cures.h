#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// A change of a scenario that may keep its runs from failing or being stuck, to be tried by runs.
struct Cure {
  std::string words;  ///< "nodes that a failed start left reserved given back at once"
  std::vector<std::pair<std::string, std::string>>
      sets;  ///< pointer and value, as `--set` has them
};

/// The changes to try for a scenario with one job: more nodes, leaked placements given back, retry
/// budgets without the limits that they have, the presets of the policy's family, other values of
/// each of its settings that has few or is a limit in time, and collectives that give up. Only what
/// the scenario does not have already and its reader accepts.
std::vector<Cure> cures_for(const scenario::Scenario& scenario);

/// Both at once: what the second sets beside the first; none where it sets a place that the first
/// sets, too.
std::optional<Cure> both_of(const Cure& first, const Cure& second);

}  // namespace aftershock::sim::advise
