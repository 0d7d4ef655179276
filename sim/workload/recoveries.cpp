#include "sim/workload/recoveries.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace aftershock::sim::workload {

namespace {

std::int64_t cost_us(const Job& job, std::uint32_t fault) {
  const auto totals = job.ledger->fault_totals_us(fault);
  return std::accumulate(totals.begin(), totals.end(), std::int64_t{0});
}

}  // namespace

Recovery& open_recovery(Job& job, std::uint32_t fault, std::int64_t now_us) {
  // The open stretch is put down to what came before, and so must be in its cost.
  job.ledger->close(now_us);
  Recovery recovery;
  recovery.fault = fault;
  recovery.high_water_us = job.training.high_water_us;
  recovery.cost_before_us = cost_us(job, fault);
  job.account.recoveries.push_back(std::move(recovery));
  return job.account.recoveries.back();
}

Recovery* find_recovery(Job& job, std::uint32_t fault) {
  const auto found =
      std::find_if(job.account.recoveries.rbegin(), job.account.recoveries.rend(),
                   [fault](const Recovery& recovery) { return recovery.fault == fault; });
  return found == job.account.recoveries.rend() ? nullptr : &*found;
}

void add_lost(Job& job, std::int64_t lost_us) {
  job.account.lost_us += lost_us;
  if (!job.lost_cause.is_fault()) {
    return;
  }
  if (Recovery* found = find_recovery(job, static_cast<std::uint32_t>(job.lost_cause.value))) {
    found->lost_us += lost_us;
  }
}

void note_running(Job& job, std::int64_t now_us) {
  for (auto recovery = job.account.recoveries.rbegin();
       recovery != job.account.recoveries.rend() && !recovery->running_us; ++recovery) {
    recovery->running_us = now_us;
  }
}

// The mark of a recovery is never below that of an earlier one, so they are caught up with in
// order.
void note_caught_up(Job& job, std::int64_t work_us, Pace pace) {
  for (; job.account.caught_up < job.account.recoveries.size(); ++job.account.caught_up) {
    Recovery& recovery = job.account.recoveries[job.account.caught_up];
    if (!recovery.running_us || work_us < recovery.high_water_us) {
      return;
    }
    const std::int64_t missing_us =
        std::max<std::int64_t>(0, recovery.high_water_us - job.training.work_us);
    recovery.caught_up_us =
        job.training.segment_begin_us + time_for(pace, missing_us, job.training.work_remainder);
  }
}

std::vector<std::int64_t> story_costs_us(const Job& job) {
  std::vector<std::pair<std::uint32_t, std::size_t>> by_fault;
  by_fault.reserve(job.account.recoveries.size());
  for (std::size_t i = 0; i < job.account.recoveries.size(); ++i) {
    by_fault.emplace_back(job.account.recoveries[i].fault, i);
  }
  std::ranges::sort(by_fault);
  std::vector<std::int64_t> costs_us(job.account.recoveries.size());
  for (std::size_t at = 0; at < by_fault.size(); ++at) {
    const auto [fault, recovery] = by_fault[at];
    // One fault may break several attempts: its time is split at the openings, so that the parts
    // add up to what the ledger puts down to it.
    const bool first = at == 0 || by_fault[at - 1].first != fault;
    const bool last = at + 1 == by_fault.size() || by_fault[at + 1].first != fault;
    const std::int64_t end_us =
        last ? cost_us(job, fault) : job.account.recoveries[by_fault[at + 1].second].cost_before_us;
    costs_us[recovery] = end_us - (first ? 0 : job.account.recoveries[recovery].cost_before_us);
  }
  return costs_us;
}

}  // namespace aftershock::sim::workload
