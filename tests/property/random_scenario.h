#pragma once

#include <cstdint>
#include <string>

namespace aftershock::sim {

/// The text of a valid scenario of a few nodes and jobs, in which anything that a scenario file can
/// say may be said. The same key gives the same text on every machine and for ever.
std::string random_scenario(std::uint64_t key);

}  // namespace aftershock::sim
