#include <algorithm>

#include <fmt/format.h>

#include "sim/invariants/invariant_checker.h"
#include "sim/scenario/faults/place_names.h"
#include "sim/scenario/text/node_names.h"

// Nodes, who holds them, and what runs on them.
namespace aftershock::sim::invariants {

void InvariantChecker::note_nodes(machines::Pool& pool, machines::NodeBits& off_limits) const {
  const machines::NodeBits& changed = pool.changed();
  for (auto at = changed.find_first(); at != machines::NodeBits::npos; at = changed.find_next(at)) {
    const machines::Node& node = pool.node(static_cast<std::uint32_t>(at));
    off_limits[at] = !node.present || node.known_down || node.draining || node.isolated ||
                     node.bad_accelerators > 0;
  }
  pool.forget_changes();
}

void InvariantChecker::check_stage(const workload::Job& job) {
  JobBook& book = books_[job.index];
  if (book.ended) {
    find("S10", job, "goes on after its end");
  }
  if (book.seen != job.epoch) {
    book.seen = job.epoch;
    check_empty(job);
  }
  if (workload::has_processes(job)) {
    if (book.live != job.epoch) {
      if (book.live != 0 && !job.pods.replacing) {
        find("S03", job,
             fmt::format("processes of attempt {} start while those of attempt {} run", job.epoch,
                         book.live));
      }
      book.live = job.epoch;
    }
    return;
  }
  if (job.stage == workload::Stage::kQueued) {
    if (job.holding && !job.pods.replacing && !job.pods.recreating) {
      find("S16", job, "waits for a gang of nodes, and holds one");
    }
    return;
  }
  book.live = 0;
  book.deadlines.take(DeadlineKind::kGrows);
  keep(job, DeadlineKind::kMeetingEnds);
  book.holding &= job.holding;
  if (job.stage == workload::Stage::kEnded && job.holding) {
    find("S16", job, "has ended, and holds its nodes");
  }
}

void InvariantChecker::placed(const workload::Job& job, const std::vector<workload::Job>& jobs,
                              machines::Pool& pool) {
  const std::uint32_t index = scenario_->jobs[job.index].pool;
  const scenario::PoolSpec& spec = scenario_->cluster.pools[index];
  JobBook& book = books_[job.index];
  const machines::NodeBits& nodes = job.placement.nodes;
  const std::size_t needed =
      (book.workers + spec.accelerators_per_node - 1) / spec.accelerators_per_node;
  if (!job.holding || job.placement.slots.size() != needed) {
    find("S16", job,
         fmt::format("{} of the {} nodes of its gang are there, and it is launched",
                     job.placement.slots.size(), needed));
  }
  if (pool.has_changes()) {
    note_nodes(pool, off_limits_[index]);
  }
  if (nodes.intersects(off_limits_[index])) {
    // Nodes that it held already it may keep.
    const machines::NodeBits bad = (book.holding ? nodes - book.held : nodes) & off_limits_[index];
    if (bad.any()) {
      find("S14", job,
           fmt::format("is launched on {}, which takes no work",
                       scenario::node_name(spec, static_cast<std::uint32_t>(bad.find_first()))));
    }
  }
  if (jobs.size() > 1) {
    check_places(job, jobs);
  }
  if (scenario_->jobs[job.index].spread) {
    check_spread(job);
  }
  book.held = nodes;
  book.holding = true;
  check_loop(job, book);
  check_serial(job, book);
}

void InvariantChecker::check_spread(const workload::Job& job) {
  const scenario::JobSpec& job_spec = scenario_->jobs[job.index];
  const scenario::PoolSpec& pool = scenario_->cluster.pools[job_spec.pool];
  std::vector<std::uint32_t> used(scenario::domains_of(pool, job_spec.spread->over));
  for (const std::uint32_t node : job.placement.slots) {
    const std::uint32_t domain = scenario::domain_of(pool, job_spec.spread->over, node);
    if (++used[domain] == job_spec.spread->most + 1) {
      find("S18", job,
           fmt::format("is launched on more than {} nodes of {} {} of pool {}",
                       job_spec.spread->most, scenario::name_of(job_spec.spread->over), domain,
                       pool.name));
    }
  }
}

void InvariantChecker::check_places(const workload::Job& job,
                                    const std::vector<workload::Job>& jobs) {
  const std::uint32_t pool = scenario_->jobs[job.index].pool;
  const machines::NodeBits& nodes = job.placement.nodes;
  for (const workload::Job& other : jobs) {
    JobBook& theirs = books_[other.index];
    if (&other == &job || !theirs.holding || scenario_->jobs[other.index].pool != pool) {
      continue;
    }
    theirs.holding = other.holding;
    if (theirs.holding && theirs.held.intersects(nodes)) {
      const machines::NodeBits both = theirs.held & nodes;
      find("S02", job,
           fmt::format("gets {}, which job {} holds",
                       scenario::node_name(scenario_->cluster.pools[pool],
                                           static_cast<std::uint32_t>(both.find_first())),
                       scenario_->jobs[other.index].name));
    }
  }
}

// So many attempts that nothing ended but their own policy, and none came to a commit.
void InvariantChecker::check_loop(const workload::Job& job, JobBook& book) {
  constexpr std::uint32_t kEnough = 20;
  if (job.start_cause.is_fault()) {
    book.fruitless = 0;  // one that lasts
    return;
  }
  if (++book.fruitless == kEnough) {
    find("L3", job,
         fmt::format("{} attempts in a row ended without a commit, and without a fault", kEnough));
  }
}

void InvariantChecker::drains(std::uint32_t pool, std::uint32_t node, std::uint32_t machine,
                              std::int64_t deadline_us) {
  drains_.push_back({pool, node, machine, deadline_us});
}

// To be called between entries: at the deadline itself it is being taken away.
void InvariantChecker::check_drains(const std::vector<workload::Job>& jobs,
                                    const std::vector<machines::Pool>& pools) {
  std::erase_if(drains_, [&](const Drain& drain) {
    const machines::Node& node = pools[drain.pool].node(drain.node);
    if (node.epoch != drain.machine || !node.up) {
      return true;
    }
    if (now_us_ <= drain.deadline_us) {
      return false;
    }
    findings_.push_back(
        {"L7", fmt::format("{} is there after the deadline of its drain",
                           scenario::node_name(scenario_->cluster.pools[drain.pool], drain.node))});
    for (const workload::Job& job : jobs) {
      if (scenario_->jobs[job.index].pool == drain.pool && job.holding &&
          workload::has_processes(job) && job.placement.nodes[drain.node]) {
        find("S23", job,
             fmt::format("uses {} after the deadline of its drain",
                         scenario::node_name(scenario_->cluster.pools[drain.pool], drain.node)));
        break;
      }
    }
    return true;
  });
}

void InvariantChecker::close(const std::vector<workload::Job>& jobs,
                             const std::vector<machines::Pool>& pools,
                             const std::vector<std::vector<std::uint32_t>>& others) {
  check_isolated(pools);
  for (std::uint32_t p = 0; p < pools.size(); ++p) {
    const machines::Pool& pool = pools[p];
    machines::NodeBits held(pool.size());
    const auto hold = [&](std::uint32_t node) {
      if (held[node] || !pool.taken(node)) {
        findings_.push_back(
            {"S02",
             fmt::format("{} is held {}", scenario::node_name(scenario_->cluster.pools[p], node),
                         held[node] ? "twice" : "by somebody, and free")});
      }
      held.set(node);
    };
    for (const workload::Job& job : jobs) {
      if (scenario_->jobs[job.index].pool == p && job.holding) {
        std::ranges::for_each(job.placement.slots, hold);
      }
    }
    std::ranges::for_each(others[p], hold);
    for (std::uint32_t node = 0; node < pool.size(); ++node) {
      if (pool.taken(node) && !held[node]) {
        findings_.push_back(
            {"S02", fmt::format("{} is held by nobody, and not free",
                                scenario::node_name(scenario_->cluster.pools[p], node))});
      }
    }
  }
}

}  // namespace aftershock::sim::invariants
