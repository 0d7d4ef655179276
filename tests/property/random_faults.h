#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/property/dice.h"

namespace aftershock::sim {

/// The facts of a pool that a fault must know.
struct PoolFacts {
  std::string name;
  std::uint64_t nodes = 0;
  std::uint64_t spares = 0;
  std::uint64_t racks = 0;
  std::uint64_t per_node = 0;
  bool repair = false;
  bool npu = false;
};

/// The facts of a job that a fault must know.
struct JobFacts {
  std::string name;
  std::size_t pool = 0;
  std::uint64_t workers = 0;
  std::uint64_t steps = 0;
};

/// The targets that faults may strike.
struct WorldFacts {
  bool bounded = true;  ///< there is a horizon
  std::vector<PoolFacts> pools;
  std::vector<JobFacts> jobs;
};

/// A length of time, a law of one, and a law of one that a repair may take.
nlohmann::ordered_json random_length(Dice& dice);
nlohmann::ordered_json random_law(Dice& dice);
nlohmann::ordered_json random_long_law(Dice& dice);

/// A valid fault of any kind with the id "fault-INDEX".
nlohmann::ordered_json random_fault(Dice& dice, const WorldFacts& world, std::uint64_t index);

}  // namespace aftershock::sim
