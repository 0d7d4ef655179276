#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "tests/property/dice.h"
#include "tests/property/random_faults.h"

namespace aftershock::sim {

/// A valid experiment named "experiment-INDEX" in one of the world's pools.
nlohmann::ordered_json random_experiment(Dice& dice, const WorldFacts& world, std::uint64_t index);

/// A valid fault with the id "trial-fault-INDEX" that strikes this experiment or one of its trials.
nlohmann::ordered_json random_trial_fault(Dice& dice, const WorldFacts& world,
                                          const nlohmann::ordered_json& experiment,
                                          std::uint64_t index);

}  // namespace aftershock::sim
