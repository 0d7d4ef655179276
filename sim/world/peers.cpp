#include "sim/world/peers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/world/failure.h"
#include "sim/world/network_faults.h"
#include "sim/world/starting.h"
#include "sim/world/world.h"

// Ranks that wait in a collective for one that will not come: what tells them, and their end.
namespace aftershock::sim::world {

namespace {

// They are left to themselves, and connected: before that nobody has a peer to lose. By whichever
// controller, they are left to themselves where one of them has returned.
bool has_peers(const World& world, const workload::Job& job) {
  const bool left = job.control.host.info().leaves_peers ||
                    std::ranges::any_of(job.detection.failures, &detection::RankFailure::returned);
  return left && !workload::starting(job) && !spec(world, job).fixed_detection_us;
}

// Ranks that are in report() wait for each other there, and no collective of theirs is open.
std::optional<std::int64_t> patience_us(const World& world, const workload::Job& job) {
  return workload::reporting(job) ? job.detection.report_barrier_us
                                  : spec(world, job).collective_timeout_us;
}

// Until the others see it by their connections, by the laws of the job's transport.
std::optional<std::int64_t> seen_after_us(const World& world, const workload::Job& job,
                                          PeerLoss loss) {
  if (!has_peers(world, job) || loss == PeerLoss::kHangs) {
    return std::nullopt;
  }
  const scenario::CollectivesSpec& laws = spec(world, job).collectives;
  const bool ended = loss == PeerLoss::kEnded || loss == PeerLoss::kReturned;
  const auto& law = ended ? laws.peer_ended : laws.peer_vanished;
  return law ? std::optional(draw_phase(world, job, *law, chance::Purpose::kPeerSeen))
             : std::nullopt;
}

// From what they have seen until their own processes are gone.
std::int64_t ending_us(const World& world, const workload::Job& job) {
  return has_peers(world, job) ? draw_phase(world, job, spec(world, job).collectives.gone_after,
                                            chance::Purpose::kPeerGone)
                               : 0;
}

// A collective that NCCL breaks off is its watchdog's to end; elsewhere the script raises.
void set_kind(const World& world, const workload::Job& job, bool timed_out,
              detection::RankFailure& failure) {
  failure.kind = policies::WorkerFailure::kCollectiveTimeout;
  if (workload::reporting(job)) {
    failure.kind = policies::WorkerFailure::kException;
    failure.error = "BroadcastCollectiveTimeoutError";
  } else if (!timed_out && spec(world, job).collectives.transport == scenario::Transport::kGloo) {
    failure.kind = policies::WorkerFailure::kException;
    failure.error = "RuntimeError: Connection reset by peer";
  }
}

// A rank that waits in the collective behind a cut gives up when the others do. Where these are
// left to it, somebody is still there to see that, as soon as the node can say so.
void give_up_behind_cuts(World& world, workload::Job& job, bool timed_out, std::int64_t gone_us) {
  std::vector<detection::RankFailure> raised;
  for (detection::RankFailure& failure : job.detection.failures) {
    if (failure.node && !failure.gone && failure.visible_us && failure.gone_us == 0) {
      failure.gone_us = gone_us;  // taken for dead already: nobody hears of it before it is back
    }
    const bool gave_up =
        std::ranges::any_of(job.detection.failures, [&](const detection::RankFailure& other) {
          return failure.node && other.hidden_on == failure.node;
        });
    if (!failure.node || failure.gone || failure.visible_us || failure.told || gave_up) {
      continue;
    }
    detection::RankFailure& one = raised.emplace_back();
    one.ranks = failure.ranks;
    set_kind(world, job, timed_out, one);
    one.answers = true;
    one.fault = job.breakage.broken_fault;
    one.gone_us = gone_us;
    if (hides(world, job, *failure.node)) {
      one.hidden_on = failure.node;
    } else {
      one.visible_us = gone_us;
    }
  }
  // Nothing is left there that could go on when the cut is over.
  std::erase_if(job.detection.failures, [&](const detection::RankFailure& failure) {
    return failure.node && !failure.gone && !failure.visible_us && !failure.told &&
           !hides(world, job, *failure.node);
  });
  if (job.detection.clock.silent() &&
      std::ranges::none_of(job.detection.failures, &detection::RankFailure::silent)) {
    job.detection.clock.end_silence(world.now_us());
  }
  for (detection::RankFailure& one : raised) {
    fail_ranks(world, job, std::move(one));
  }
}

// Every rank but the ones it waited for ends.
void give_up(World& world, workload::Job& job, bool timed_out) {
  if (!job.broken || !workload::has_processes(job)) {
    return;
  }
  job.breakage.stalled = false;
  detection::RankFailure failure;
  failure.ranks = peers_of_failed(job);
  const std::int64_t gone_us = world.now_us() + ending_us(world, job);
  if (job.control.host.info().leaves_peers && !spec(world, job).fixed_detection_us) {
    give_up_behind_cuts(world, job, timed_out, gone_us);
  }
  if (failure.ranks.empty()) {
    return;
  }
  set_kind(world, job, timed_out, failure);
  failure.answers = true;
  failure.visible_us = gone_us;
  failure.gone_us = gone_us;
  failure.fault = job.breakage.broken_fault;
  fail_ranks(world, job, std::move(failure));
}

}  // namespace

PeerLoss loss_of(const detection::RankFailure& failure) {
  return failure.returned   ? PeerLoss::kReturned
         : failure.vanished ? PeerLoss::kVanished
                            : PeerLoss::kEnded;
}

void peers_wait(World& world, workload::Job& job, PeerLoss loss, bool first) {
  // Nobody waits in a collective while processes are on their way; where a gang is stopped for one
  // that ended, nobody waits for long.
  const bool gone = loss == PeerLoss::kEnded || loss == PeerLoss::kVanished;
  if (loss == PeerLoss::kReturned && spec(world, job).fixed_detection_us) {
    give_up(world, job, true);  // and seen when that is over
    return;
  }
  if (job.stage == workload::Stage::kLaunching || spec(world, job).fixed_detection_us ||
      (gone && !job.control.host.info().leaves_peers)) {
    return;
  }
  if (const auto timeout_us = patience_us(world, job); timeout_us && first) {
    world.core.schedule(core::EntryKind::kCollectiveTimeout, world.now_us() + *timeout_us,
                        {.entity = job.index, .epoch = job.stage_epoch});
  }
  if (const auto seen_us = seen_after_us(world, job, loss)) {
    world.core.schedule(core::EntryKind::kPeersGiveUp, world.now_us() + *seen_us,
                        {.entity = job.index, .epoch = job.stage_epoch});
  }
}

void peers_give_up(World& world, workload::Job& job) { give_up(world, job, false); }

void collective_timed_out(World& world, workload::Job& job) { give_up(world, job, true); }

policies::RankSet peers_of_failed(const workload::Job& job) {
  policies::RankSet waited_for;
  for (const detection::RankFailure& failure : job.detection.failures) {
    waited_for.add(failure.ranks);
  }
  return policies::RankSet::range(0, job.workers).without(waited_for);
}

std::optional<std::int64_t> peers_gone_after_us(const World& world, const workload::Job& job,
                                                PeerLoss loss) {
  // Behind a cut they are taken to be in their collective.
  auto seen_us =
      loss == PeerLoss::kHangs ? patience_us(world, job) : spec(world, job).collective_timeout_us;
  if (const auto by_law_us = seen_after_us(world, job, loss)) {
    seen_us = std::min(seen_us.value_or(*by_law_us), *by_law_us);
  }
  return seen_us ? std::optional(*seen_us + ending_us(world, job)) : std::nullopt;
}

}  // namespace aftershock::sim::world
