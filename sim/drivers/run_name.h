#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aftershock::sim::scenario {
struct RunSpec;
}  // namespace aftershock::sim::scenario

namespace aftershock::sim::drivers {

/// Storage path and name as people write them. `holder` is a job, or an experiment counted after
/// the jobs; where the name holds "{uuid}", each of its drivers has another. Empty without a name.
std::string run_path(const scenario::RunSpec& run, std::uint32_t holder, std::uint32_t driver);

/// Under which key storage holds the run. One without a name gets a name that no other holder has.
/// `policy` is the name of what wrote it: Train V1 and Tune have the same files, others their own.
std::string run_key(const scenario::RunSpec& run, std::uint32_t holder, std::uint32_t driver,
                    std::string_view policy);

}  // namespace aftershock::sim::drivers
