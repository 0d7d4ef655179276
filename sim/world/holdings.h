#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Experiment;
struct Job;
struct Trial;
}  // namespace aftershock::sim::workload

// Nodes and their holders, as a recording tells them.
namespace aftershock::sim::world {

struct World;

/// The recording says which nodes the job holds, those of failed starts that nobody gave back
/// last, where they are others than those that it said before. Without a recording nothing is done.
void record_holdings(World& world, workload::Job& job);
/// The same of a trial, which has just taken its place or left it.
void record_holdings(World& world, const workload::Experiment& experiment,
                     const workload::Trial& trial);

}  // namespace aftershock::sim::world
