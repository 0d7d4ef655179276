#pragma once

#include <cstdint>
#include <string>

#include "policies/api/rank_set.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// The objects that Kubernetes keeps of pods on lost nodes.
namespace aftershock::sim::world {

struct World;

/// Whether objects of the job's pods outlive their eviction (cluster.node_object).
[[nodiscard]] bool objects_stay(const World& world, const workload::Job& job);
/// The node was declared dead, and these pods on it are a job's whose objects stay.
void keep_objects(World& world, const workload::Job& job, std::uint32_t node,
                  policies::RankSet ranks);
/// Somebody removes the objects of that number, unless they are gone.
void remove_objects(World& world, std::uint32_t number);
/// The job is told that the node is back: its kubelet answers for the pods.
void forget_objects(World& world, const workload::Job& job, std::uint32_t node);
/// The node's kubelet is back and ends pods of jobs that are not on the node any more.
void end_objects(World& world, std::uint32_t pool, std::uint32_t node);
/// The words about pods of the job whose objects stay until their node is back, which nobody
/// promises; empty: there are none.
[[nodiscard]] std::string words_of_objects(const World& world, const workload::Job& job);
/// Another machine has the node's place.
void replace_objects(World& world, std::uint32_t pool, std::uint32_t node);

}  // namespace aftershock::sim::world
