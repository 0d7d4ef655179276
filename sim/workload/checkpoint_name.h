#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aftershock::sim::workload {

/// Date and time of a moment as Ray writes them, "2026-11-20_18-00-00.000000", in the zone of
/// `start`. That is the scenario's, or empty: the beginning of 1970.
std::string date_name(std::string_view start, std::int64_t at_us);

/// The facts by which a checkpoint is named.
struct CheckpointNaming {
  std::string_view policy{};  ///< the one that runs the job
  std::string_view start{};   ///< the scenario's
};

/// The directory of a checkpoint in storage: Train V2 names it by the date at which its ranks
/// reported it (ray.md 1.8), Train V1 and Tune by the number of those before it in its
/// trial (3.4). Others number them from 1.
std::string checkpoint_name(CheckpointNaming naming, std::uint32_t id, std::int64_t named_us);

}  // namespace aftershock::sim::workload
