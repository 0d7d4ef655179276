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

/// Violations that the run has been found to have.
void report_findings(World& world);
void violate(World& world, std::string id, std::string what);
void violate(World& world, const workload::Job& job, const std::vector<control::Breach>& breaches);

/// Holds a policy of pods to the order of recovery, as it is told and as it decides.
void check_order(World& world, workload::Job& job);
void check_order(World& world, workload::Job& job, const policies::Step& step);
void check_order(World& world, workload::Job& job, const policies::Command& command);
void check_budgets(World& world, workload::Job& job);
void check_removed(World& world, workload::Job& job);
void check_survivors(World& world, const workload::Job& job,
                     const std::vector<std::uint32_t>& before);

/// How many invariants the runs of the world check: with those of pods where a policy has some.
std::int64_t invariants_checked(const World& world);

}  // namespace aftershock::sim::world
