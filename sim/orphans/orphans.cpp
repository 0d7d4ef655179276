#include "sim/orphans/orphans.h"

#include <iterator>
#include <utility>

#include "sim/engine/transfers.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/checkpoint.h"
#include "sim/workload/progress.h"

namespace aftershock::sim::orphans {

void Orphans::leave(const Zombies& zombies) {
  AFTERSHOCK_ASSERT(zombies.accelerators >= 0);
  zombies_.push_back(zombies);
}

std::vector<Zombies> Orphans::behind(std::uint32_t fault) const {
  std::vector<Zombies> list;
  std::ranges::copy_if(zombies_, std::back_inserter(list),
                       [fault](const Zombies& each) { return each.fault == fault; });
  return list;
}

std::vector<StaleTime> Orphans::end_all(std::int64_t now_us) {
  return end_where(now_us, [](const Zombies&) { return true; });
}

std::vector<StaleTime> Orphans::end_on(const OrphanedAttempt& attempt, std::int64_t now_us) {
  return end_where(now_us, [&](const Zombies& zombies) {
    return zombies.job == attempt.job &&
           std::ranges::find(attempt.nodes, zombies.node) != attempt.nodes.end();
  });
}

std::uint32_t Orphans::add(OrphanedAttempt attempt) {
  AFTERSHOCK_ASSERT(attempt.workers > 0 && !attempt.nodes.empty());
  attempts_.push_back(std::move(attempt));
  return static_cast<std::uint32_t>(attempts_.size() - 1);
}

const OrphanedAttempt& Orphans::attempt(std::uint32_t number) const {
  AFTERSHOCK_ASSERT(number < attempts_.size());
  return attempts_[number];
}

bool Orphans::train_on(std::uint32_t job, std::uint32_t epoch) const {
  return std::ranges::any_of(attempts_, [&](const OrphanedAttempt& each) {
    return each.job == job && each.epoch == epoch && !each.gone;
  });
}

void Orphans::end_attempt(std::uint32_t number) {
  AFTERSHOCK_ASSERT(number < attempts_.size());
  attempts_[number].gone = true;
}

std::optional<std::int64_t> Orphans::next_save_us(std::uint32_t number,
                                                  const scenario::JobSpec& job,
                                                  std::int64_t bytes_per_s, std::int64_t from_us) {
  AFTERSHOCK_ASSERT(number < attempts_.size() && !attempts_[number].gone);
  OrphanedAttempt& attempt = attempts_[number];
  const workload::Pace pace{attempt.workers, job.workers};
  const auto due_us = workload::next_checkpoint_work_us(job, pace, attempt.work_us);
  const auto total_us = workload::last_work_us(job, attempt.began_us);
  if (!due_us || (total_us && *due_us > *total_us)) {
    return std::nullopt;
  }
  const std::int64_t trains_us = workload::time_for(pace, *due_us - attempt.work_us, 0);
  const std::int64_t moves_us =
      job.run.storage ? engine::transfer_length_us(job.checkpoint->bytes, bytes_per_s) : 0;
  attempt.work_us = *due_us;
  return from_us + trains_us + job.checkpoint->blocking_us + moves_us;
}

// Those that have ended of themselves kept nothing busy since.
StaleTime Orphans::stale_time(const Zombies& zombies, std::int64_t now_us) {
  const std::int64_t end_us = zombies.until_us ? std::min(*zombies.until_us, now_us) : now_us;
  return {zombies.job, zombies.accelerators * std::max<std::int64_t>(0, end_us - zombies.since_us)};
}

}  // namespace aftershock::sim::orphans
