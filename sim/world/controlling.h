#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "reports/ledger/ledger.h"
#include "reports/recording/recorder.h"
#include "sim/control/policy_host.h"

// Controllers of jobs: events in, decisions out.
namespace aftershock::sim {

struct World;
struct Job;

/// Events in, decisions out.
void notify(World& world, Job& job, policies::Event event);
/// `polled`: they are what a poll of its workers shows.
void deliver(World& world, Job& job, bool polled = false);
void poll(World& world, Job& job);
void note_detected(World& world, Job& job, std::uint32_t fault);
void diverge(World& world, Job& job, policies::CheckpointReported& reported);
void plan_poll(World& world, Job& job);
/// Waiting on futures is polling without a period.
[[nodiscard]] policies::PollWatch poll_of(const policies::FuturesWatch& futures,
                                          std::int64_t now_us);
[[nodiscard]] bool lost_policy(World& world, const PolicyHost& host);
void carry_out(World& world, Job& job, const policies::Decision& decision, reports::Cause about);
void carry_out(World& world, Job& job, const policies::Command& command);
void charge(World& world, Job& job, const policies::Step& step, reports::Cause about);
void commit(World& world, Job& job, const policies::CommitCheckpoint& command);
void persist(World& world, Job& job, const policies::Persist& command);
void discard(World& world, Job& job, const policies::DeleteCheckpoints& command);
void record_decision(World& world, reports::Entity on, const PolicyHost& host, reports::Cause cause,
                     const policies::Decision& decision);

}  // namespace aftershock::sim
