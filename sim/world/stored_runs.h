#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "policies/api/policy.h"
namespace aftershock::sim::workload {
struct Experiment;
struct Job;
struct TornFile;
}  // namespace aftershock::sim::workload

// Runs as storage keeps them, and as a new driver finds them.
namespace aftershock::sim::world {

struct World;

/// The state of a controller in storage as text. Notes whether it left a file of its own session.
std::string durable_of(World& world, const policies::Policy& policy, std::size_t driver_run,
                       workload::TornFile& file);

/// The job's controller and its committed checkpoints are put away under the run's name, unless
/// another job has written there since, or nothing was stored.
void store_run(World& world, workload::Job& job);

/// The state of the experiment's controller is put away under the run's name.
void store_run(World& world, workload::Experiment& experiment);

/// Brings up to date what drivers other than the holder's have stored under the key.
void store_runs(World& world, const std::string& key, std::uint32_t holder);

/// Takes what another driver left under the job's name. False: there is nothing.
bool find_run(World& world, workload::Job& job);

/// The job goes on with what its new driver found, or with an empty directory of its own.
void take_up_run(World& world, workload::Job& job);

/// The files that the job has stored stay behind in another place.
void forget_run(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
