#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aftershock::sim::workload {
struct Experiment;
struct Job;
}  // namespace aftershock::sim::workload

// The end of a run: when it has come, and whether all accounts are in order.
namespace aftershock::sim::world {

struct World;

/// Every account of the run closes, and the checker judges what is left. A run that is stuck moves
/// to its horizon first, as a wait in vain lasts until then. Called once, when the loop has ended.
void close_run(World& world);

/// Whether nothing was left to happen while somebody waited for it, or a job or an experiment
/// stands given up (give_up_on()).
[[nodiscard]] bool stuck(const World& world);

/// Whether the job was one that waited: given up; or, where nothing was left to happen, submitted,
/// not ended and not training. For a run that is over.
[[nodiscard]] bool stuck(const World& world, const workload::Job& job);

/// Whether the experiment was one that waited: given up; or, where nothing was left to happen,
/// submitted and not ended. For a run that is over.
[[nodiscard]] bool stuck(const World& world, const workload::Experiment& experiment);

/// Whether nothing is left to happen while a job or an experiment waits: the ends of cuts do not
/// count, as one that outlives the run is for good to it. To be asked when the horizon is played.
[[nodiscard]] bool nothing_can_change(const World& world);

/// The inconsistencies of this world, in words. Walks over every node, so it is for tests.
[[nodiscard]] std::vector<std::string> inconsistencies(const World& world);

}  // namespace aftershock::sim::world
