#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/property/mutant.h"

namespace aftershock::sim {

/// A ModelArts that breaks one rule of the order, and where that shows.
struct MutantRow {
  std::string_view name;                   ///< the wrong that it does
  std::string_view id;                     ///< of the one invariant that it breaks
  std::string_view scenario;               ///< of scenarios/modelarts
  std::vector<std::string> sets{};         ///< the changes to that, as `--set` has them
  std::vector<std::string> mutant_sets{};  ///< more of it, that the policy alone sees
  Mutation mutation{};
};

/// One or more a rule.
std::vector<MutantRow> modelarts_mutants();

}  // namespace aftershock::sim
