#pragma once

#include <cstdint>
#include <string>

namespace aftershock::sim {

/// The text of a valid scenario in which a ModelArts job meets faults that come close upon each
/// other, with random annotations and readings; as a file of scenarios/modelarts.
std::string random_modelarts(std::uint64_t number);

}  // namespace aftershock::sim
