#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/rank_set.h"

namespace aftershock::sim::detection {
struct RankFailure;
}  // namespace aftershock::sim::detection

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// The ranks of an attempt that are left: what they learn of one that they wait for in a collective,
// and how they end (sim/README.md, "Peers of a process that has ended").
namespace aftershock::sim::world {

struct World;

/// How others lose a rank: its process ended and its connections with it, it went or was cut off
/// without a word, it is there and does nothing, or it has returned, which no controller minds.
enum class PeerLoss : std::uint8_t { kEnded, kVanished, kCutOff, kHangs, kReturned };

/// The loss that a failure of ranks which are gone is to the others.
[[nodiscard]] PeerLoss loss_of(const detection::RankFailure& failure);

/// The others wait from now on: when they see the loss by their connections is planned, and, where
/// it is the `first` of the attempt, when their collective times out.
void peers_wait(World& world, workload::Job& job, PeerLoss loss, bool first);

/// They have seen the loss by their connections: all ranks but the lost ones end, under Gloo by an
/// error of the script, else as their collective is broken off.
void peers_give_up(World& world, workload::Job& job);

/// They have waited for as long as the collective allows, or the barrier of report(): all ranks but
/// the lost ones end.
void collective_timed_out(World& world, workload::Job& job);

/// Ranks that wait, and are there to give up.
[[nodiscard]] policies::RankSet peers_of_failed(const workload::Job& job);

/// The time from the beginning of a wait until the processes of those that wait for a hung rank,
/// or for one behind a cut, are gone; none: they wait for ever.
[[nodiscard]] std::optional<std::int64_t> peers_gone_after_us(const World& world,
                                                              const workload::Job& job,
                                                              PeerLoss loss);

}  // namespace aftershock::sim::world
