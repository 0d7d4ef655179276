#pragma once

#include <cstdint>
#include <string>

#include "policies/api/commands.h"
#include "sim/workload/job.h"
#include "sim/world/peers.h"

// How an attempt breaks, how that shows, and how it is stopped.
namespace aftershock::sim::world {

struct World;

/// Breaks an attempt, lets its failures show, and ends it.
void fail_ranks(World& world, workload::Job& job, detection::RankFailure failure);
void failure_shows(World& world, workload::Job& job, detection::RankFailure& failure);
/// A cut hides its ranks from a platform, which takes them as they are when it hears of them again.
[[nodiscard]] bool may_return(const workload::Job& job, const detection::RankFailure& failure);
void forget_failures(World& world, workload::Job& job, std::uint32_t fault);
void break_attempt(World& world, workload::Job& job, std::uint32_t fault);
void stall(World& world, workload::Job& job, std::uint32_t fault, PeerLoss loss);
void resume_stalled(World& world, workload::Job& job);
void node_known_down(World& world, workload::Job& job, std::uint32_t node);
void cancel_transfers(World& world, workload::Job& job, bool keep_upload);

/// Hang detection by activity and not by progress.
void update_activity_watch(World& world, workload::Job& job);
inline void watch_activity(World& world, workload::Job& job) {
  // Most have never looked, and never will.
  if (job.detection.hang || job.detection.inactive_since_us || job.detection.alarmed) {
    update_activity_watch(world, job);
  }
}
void on_activity_timeout(World& world, workload::Job& job);

/// How an attempt is stopped.
void stop_workers(World& world, workload::Job& job, const policies::StopWorkers& command);
void torn_down(World& world, workload::Job& job);
void hold_work(World& world, workload::Job& job);
void end_job(World& world, workload::Job& job, workload::Outcome outcome, std::string reason);
[[nodiscard]] policies::RankSet ranks_on(const World& world, const workload::Job& job,
                                         std::uint32_t slot);

/// Deadlines that hold from now on.
void expect_answer(World& world, const workload::Job& job);
void expect_end(World& world, const workload::Job& job);

}  // namespace aftershock::sim::world
