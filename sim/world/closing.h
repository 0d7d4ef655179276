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

/// To be called once when the loop has ended: closes every account.
void close_run(World& world);

/// Whether nothing was left to happen, and somebody waited for it.
[[nodiscard]] bool stuck(const World& world);
/// Whether it was this one; of a run that is over.
[[nodiscard]] bool stuck(const World& world, const workload::Job& job);
[[nodiscard]] bool stuck(const World& world, const workload::Experiment& experiment);

/// Whether nothing is left to happen before the horizon while somebody waits.
[[nodiscard]] bool nothing_can_change(const World& world);

/// The inconsistencies of this world, in words. Walks over every node, so it is for tests.
[[nodiscard]] std::vector<std::string> inconsistencies(const World& world);

}  // namespace aftershock::sim::world
