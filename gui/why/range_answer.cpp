#include "gui/why/range_answer.h"

#include <algorithm>
#include <map>
#include <string>

#include "gui/why/range_times.h"

namespace aftershock::gui {

namespace {

std::int64_t time_of_kind(const BucketTimes& times, Kind kind) {
  const auto found = std::ranges::find(times, name_of(kind), &BucketTimes::value_type::first);
  return found == times.end() ? 0 : found->second;
}

/// By id, as ledgers name faults: one that was masked may share it with one that fired.
using CostById = std::map<std::string, std::int64_t, std::less<>>;

void take_costs(CostById& costs, const Account& account) {
  for (const FaultCost& cost : account.fault_costs) {
    std::int64_t& sum = costs[cost.fault];
    if (__builtin_add_overflow(sum, sum_us(cost.us), &sum)) {
      sum = kOpen;
    }
  }
}

void take_faults(RangeAnswer& answer, const Trace& trace, const CostById& costs) {
  const auto first = std::ranges::lower_bound(trace.faults, answer.from_us, {}, &Fault::t_us);
  const auto last =
      std::ranges::lower_bound(first, trace.faults.end(), answer.to_us, {}, &Fault::t_us);
  std::map<TextId, KindOfFaults> kinds;
  for (auto fault = first; fault != last; ++fault) {
    KindOfFaults& of = kinds[fault->kind];
    of.kind = fault->kind;
    ++(fault->fired ? of.fired : of.masked);
    const auto cost = costs.find(trace.texts[fault->id]);
    answer.faults.push_back({static_cast<std::uint32_t>(fault - trace.faults.begin()),
                             fault->fired && cost != costs.end() ? cost->second : 0});
  }
  std::ranges::stable_sort(answer.faults, std::ranges::greater(), &FaultInRange::cost_us);
  for (const auto& [kind, counted] : kinds) {
    answer.kinds.push_back(counted);
  }
  std::ranges::stable_sort(answer.kinds, std::ranges::greater(),
                           [](const KindOfFaults& each) { return each.fired + each.masked; });
}

}  // namespace

RangeAnswer range_answer(const Trace& trace, const std::vector<Account>& accounts,
                         std::uint32_t entity, std::int64_t from_us, std::int64_t to_us) {
  RangeAnswer answer;
  answer.from_us = from_us;
  answer.to_us = to_us;
  CostById costs;
  for (const Account& account : accounts) {
    if (entity != kNone && account.entity != entity) {
      continue;
    }
    take_costs(costs, account);
    answer.knows_costs = answer.knows_costs || account.is_closed;
    RangeOfJob job;
    job.entity = account.entity;
    job.us = range_times(trace, account, from_us, to_us);
    if (job.us.empty()) {
      continue;
    }
    job.useful_us = time_of_kind(job.us, Kind::kProductive);
    job.lost_us = time_of_kind(job.us, Kind::kRolledBack);
    std::ranges::stable_sort(job.us, std::ranges::greater(), &BucketTimes::value_type::second);
    answer.jobs.push_back(std::move(job));
  }
  take_faults(answer, trace, costs);
  const auto first = std::ranges::lower_bound(trace.decisions, from_us, {}, &Decision::t_us);
  const auto last =
      std::ranges::lower_bound(first, trace.decisions.end(), to_us, {}, &Decision::t_us);
  for (auto decision = first; decision != last; ++decision) {
    if (entity == kNone || decision->entity == entity) {
      answer.decisions.push_back(static_cast<std::uint32_t>(decision - trace.decisions.begin()));
    }
  }
  return answer;
}

}  // namespace aftershock::gui
