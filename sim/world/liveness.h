#pragma once

#include <cstdint>
#include <string>

#include "reports/ledger/summary.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

/// Judges a run that is over by L1 (chaos.md 5.4): a job that does not train although the
/// last fault is long over is a violation, or, where something excuses it, a warning that says
/// what.
void judge_liveness(const World& world, reports::RunSummary& summary);

/// The longest that a length can be; one that has no longest: many times what is usual.
std::int64_t longest_us(const scenario::Distribution& law);

/// How long after the last fault a job has to train again: the time that it may take to be seen
/// and to start, by the scenario's own lengths.
std::int64_t recovery_bound_us(const scenario::Scenario& scenario, const scenario::JobSpec& job);

/// Why no policy could bring a job back that waits for nodes, in words: fewer than it needs work,
/// isolated ones counted in, and none comes. Empty: enough do. For a run that is over.
[[nodiscard]] std::string past_recovery(const World& world, const workload::Job& job);
/// Whether a machine of the job's pool is in repair, on its way or to be back at a date.
[[nodiscard]] bool machines_come(const World& world, const workload::Job& job);

}  // namespace aftershock::sim::world
