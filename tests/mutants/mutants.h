#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/world/world.h"
#include "tests/property/mutant.h"

namespace aftershock::sim {

/// Makes a world go wrong: is called between entries, until it says that it has done so.
using WorldMutation = std::function<bool(world::World&)>;

/// Something that goes wrong, and the invariant that sees it.
struct InvariantMutant {
  std::string_view name;                   ///< the wrong that it does
  std::string_view id;                     ///< of the invariant
  std::vector<std::string> scenarios{};    ///< that are searched, by path; empty: two_crashes()
  std::vector<std::string> sets{};         ///< the changes to those, as `--set` has them
  std::vector<std::string> mutant_sets{};  ///< more of it, that the policy alone sees
  Mutation mutation{};                     ///< of the policy
  WorldMutation world_mutation{};          ///< of the world
  bool alone = false;                      ///< nothing else sees it
};

/// Policies that go wrong, and worlds that do.
std::vector<InvariantMutant> wrong_policies();
std::vector<InvariantMutant> wrong_worlds();
/// Policies that do what they should, and too late.
std::vector<InvariantMutant> slow_policies();

/// A job of 8 workers on 4 nodes, with two spares, whose ranks crash at 20 and 45 minutes.
std::string two_crashes();

}  // namespace aftershock::sim
