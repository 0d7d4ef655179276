#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "reports/ledger/ledger.h"
#include "reports/recording/recorder.h"
#include "sim/control/policy_host.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Controllers of jobs: events in, decisions out.
namespace aftershock::sim::world {

struct World;

/// Events in, decisions out.
void notify(World& world, workload::Job& job, policies::Event event);
/// `polled`: they are what a poll of its workers shows.
void deliver(World& world, workload::Job& job, bool polled = false);
void poll(World& world, workload::Job& job);
void note_detected(World& world, workload::Job& job, std::uint32_t fault);
void diverge(World& world, workload::Job& job, policies::CheckpointReported& reported);
void plan_poll(World& world, workload::Job& job);
/// Waiting on futures is polling without a period.
[[nodiscard]] policies::PollWatch poll_of(const policies::FuturesWatch& futures,
                                          std::int64_t now_us);
[[nodiscard]] bool lost_policy(World& world, const control::PolicyHost& host);
void carry_out(World& world, workload::Job& job, const policies::Decision& decision,
               reports::Cause about);
void carry_out(World& world, workload::Job& job, const policies::Command& command);
void charge(World& world, workload::Job& job, const policies::Step& step, reports::Cause about);
void commit(World& world, workload::Job& job, const policies::CommitCheckpoint& command);
void persist(World& world, workload::Job& job, const policies::Persist& command);
void discard(World& world, workload::Job& job, const policies::DeleteCheckpoints& command);
void record_decision(World& world, reports::Entity on, const control::PolicyHost& host,
                     reports::Cause cause, const policies::Decision& decision);

}  // namespace aftershock::sim::world
