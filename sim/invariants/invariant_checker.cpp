#include "sim/invariants/invariant_checker.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim::invariants {

namespace {

// The least size of an elastic group, as Ray Train's configuration has it; else any.
std::uint32_t fewest_workers(const scenario::JobSpec& job) {
  const auto found = job.policy.config->find("num_workers");
  const bool elastic = found != job.policy.config->end() && found->is_array() && !found->empty() &&
                       found->front().is_number_integer();
  return elastic ? found->front().get<std::uint32_t>() : 1;
}

// More than any world that is in order has ever waiting: a few entries for each thing in it.
std::size_t most_waiting(const scenario::Scenario& scenario) {
  constexpr std::size_t kAtLeast = 10'000;
  constexpr std::size_t kEach = 64;
  std::size_t things = scenario.jobs.size() + scenario.faults.size();
  for (const scenario::PoolSpec& pool : scenario.cluster.pools) {
    things += std::size_t{pool.max_nodes} * (1 + pool.accelerators_per_node);
  }
  return kAtLeast + kEach * things;
}

}  // namespace

bool UsedIds::take(policies::CommandId id) {
  if (used_.size() == 1 && used_.front().second == id) {
    ++used_.front().second;
    return true;
  }
  const bool was_used = std::ranges::any_of(
      used_, [id](const auto& ids) { return ids.first <= id && id < ids.second; });
  if (was_used) {
    return false;
  }
  if (!used_.empty() && used_.back().second == id) {
    ++used_.back().second;
  } else {
    used_.emplace_back(id, id + 1);
  }
  return true;
}

InvariantChecker::InvariantChecker(std::shared_ptr<const scenario::Scenario> scenario)
    : scenario_(std::move(scenario)),
      most_waiting_(most_waiting(*scenario_)),
      waiting_(scenario_->jobs.size(), scenario_->cluster.pools.size()) {
  books_.resize(scenario_->jobs.size());
  for (const scenario::JobSpec& job : scenario_->jobs) {
    least_.push_back(fewest_workers(job));
  }
  for (const scenario::PoolSpec& pool : scenario_->cluster.pools) {
    off_limits_.emplace_back(pool.max_nodes);
  }
}

void InvariantChecker::find(std::string_view id, std::uint32_t job, std::string_view what) {
  findings_.push_back({id, fmt::format("job {}: {}", scenario_->jobs[job].name, what)});
}

void InvariantChecker::check_calendar(std::int64_t t_us, std::size_t waiting) {
  if (t_us < now_us_) {
    findings_.push_back(
        {"S25", fmt::format("an entry of {} us is played at {} us", t_us, now_us_)});
  }
  // Experiments have as many entries as trials.
  if (waiting > most_waiting_ && !overfull_ && scenario_->experiments.empty()) {
    overfull_ = true;
    findings_.push_back({"S25", fmt::format("{} entries wait to be played", waiting)});
  }
}

}  // namespace aftershock::sim::invariants
