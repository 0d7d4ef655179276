#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "sim/control/ordering.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Violations of invariants, and the order of recovery that policies of pods are held to.
namespace aftershock::sim::world {

struct World;

/// The findings that the checker has made since the last call become violations.
void report_findings(World& world);

/// A violation of the invariant `id` is noted at this time, the first hundred of a run: a broken
/// rule is broken at every entry from then on.
void violate(World& world, std::string id, std::string what);

/// Breaches of the order of recovery become violations, in words that name the job.
void violate(World& world, const workload::Job& job, const std::vector<control::Breach>& breaches);

/// The order of recovery (modelarts.md 4) takes in the batch that the policy answers; first of
/// these calls in a decision. Nothing happens here and below for a job that is not held to the
/// order (Job::ordering).
void check_order(World& world, workload::Job& job);

/// The step is held to the order of recovery, after its budget moves and before its commands.
void check_order(World& world, workload::Job& job, const policies::Step& step);

/// The command is held to the order of recovery, before it is carried out: one that comes at the
/// wrong time is a breach even where the world refuses it.
void check_order(World& world, workload::Job& job, const policies::Command& command);

/// The retry budgets that the policy shows at the end of a decision are held to its moves.
void check_budgets(World& world, workload::Job& job);

/// The removal of pods that ends now is held to its time: processes and volumes take exactly so
/// long, and volumes only until the policy's terms let that go on by itself (M7).
void check_removed(World& world, workload::Job& job);

/// A pod that is not made anew has to stay on its node: one that moved violates M3. `before`: the
/// nodes by slot before this placement.
void check_survivors(World& world, const workload::Job& job,
                     const std::vector<std::uint32_t>& before);

/// How many invariants the runs of the world check: with those of pods where a policy has some.
std::int64_t invariants_checked(const World& world);

}  // namespace aftershock::sim::world
