#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "sim/chaos/setting.h"

// Another scenario for every seed (chaos.md 5.1 and 5.7): which families of faults there
// are, how many of each, when and where they strike, and what the world is like.
namespace aftershock::sim::chaos {

/// The part that the scenarios of all seeds share.
struct GeneratorBase {
  nlohmann::ordered_json bare;  ///< the scenario without faults of its own
  Setting setting;
  std::string policy;      ///< of the job: its name
  std::uint32_t pool = 0;  ///< of the job, index
  std::string pool_name;
  std::uint32_t nodes = 0;  ///< of that pool, spares apart
  std::uint32_t racks = 1;
  std::uint32_t workers = 0;  ///< of the job
  /// A checkpoint after so many, as it has while nothing is lost with one.
  std::uint32_t save_every_steps = 1;
  std::int64_t healthy_us = 0;  ///< how long the job takes when nothing breaks
};

/// The base of a scenario's job.
GeneratorBase generator_base(const scenario::Scenario& scenario, std::uint32_t job,
                             std::int64_t healthy_us);

/// The scenario of one seed. Every family of faults is on for half of the seeds, all off included;
/// so is each of the suppressors, which hide whole classes of mistakes while they are on: budgets
/// without end, nodes replaced at once, a checkpoint after every step or few, faults seen within a
/// second, unless the policy leaves it to the ranks that wait to give up. Spares, repairs, the
/// checkpoint interval and the order of the faults, which decides about those of one microsecond,
/// differ as well.
nlohmann::ordered_json swarm_scenario(const GeneratorBase& base, std::uint64_t seed);

/// The scenario that a search runs for a seed: the seed's own, or for every fourth a branch of an
/// earlier one. That goes as its parent does until a fault has struck a recovery, and then meets
/// other faults, one to three within a quarter of an hour: rare states are led on from more than
/// once.
nlohmann::ordered_json explored_scenario(const GeneratorBase& base, std::uint64_t seed);

}  // namespace aftershock::sim::chaos
