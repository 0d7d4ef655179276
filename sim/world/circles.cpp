#include <algorithm>
#include <span>
#include <variant>

#include "sim/world/entries.h"
#include "sim/world/world.h"

// Jobs that only ever start again, get no further and fail for the same reason: what else is to
// come decides whether they go on.
namespace aftershock::sim {

namespace {

// So many attempts that end alike are taken for all that will ever be, where nothing else is to
// come that could change it.
constexpr std::uint32_t kEnoughAttempts = 100;

bool is_constant(const Distribution& law) {
  return std::holds_alternative<Distribution::Constant>(law.shape);
}

// A length that is drawn anew might some day let an attempt get further.
bool repeats_exactly(const PhaseLengths& lengths) {
  return is_constant(lengths.launching) && is_constant(lengths.rendezvous) &&
         is_constant(lengths.restoring) && is_constant(lengths.warming_up) &&
         is_constant(lengths.tearing_down) && is_constant(lengths.finalizing);
}

// Of a job's own attempt, or of nothing that changes.
bool belongs_to_attempts(const Entry& entry) {
  switch (static_cast<What>(entry.kind)) {
    case What::kHorizon:
    case What::kStepReached:
    case What::kStageOver:
    case What::kTransferOver:
    case What::kPlacementLimit:
    case What::kStartFailureSeen:
    case What::kCollectiveTimeout:
    case What::kHangRule:
    case What::kStill:
    case What::kCaughtUp:
    case What::kDeliver:
    case What::kPoll:
    case What::kServeQueue:
    case What::kCapacityLook:
    case What::kNoticeSeen:
    case What::kUploadRetry:
    case What::kUploadFailed:
    case What::kPressed:
      return true;
    default:
      return false;
  }
}

bool is_about(const Entry& entry, const Job& job) {
  switch (static_cast<What>(entry.kind)) {
    case What::kHorizon:
    case What::kStepReached:
    case What::kTransferOver:
    case What::kServeQueue:
    case What::kPressed:
      return false;
    default:
      return entry.entity == job.index;
  }
}

// Broken, and neither it nor its controller will ever do anything more by itself.
bool stands_still(const Job& job, std::span<const Entry> entries) {
  return job.broken && !job.next_poll_us && job.upload == 0 && job.download == 0 &&
         std::ranges::none_of(entries, [&](const Entry& entry) { return is_about(entry, job); });
}

}  // namespace

// At every start: whether the attempt before it ended like the one before that. The look at what
// is to come is rare, for it is at all of it.
void World::count_circle(Job& job, std::uint32_t workers) {
  Circle& circle = job.circle;
  Circle now;
  now.placed = !job.unplaced;
  if (job.start_cause.is_fault()) {
    now.fault = static_cast<std::uint32_t>(job.start_cause.value);
    now.spec = static_cast<std::int32_t>(faults_[now.fault].spec);
  }
  now.workers = workers;
  now.nodes_up = pools_[spec(job).pool].nodes_up();
  now.leaks = job.leaks.size();
  now.high_water_us = job.high_water_us;
  now.committed_work_us = job.committed_work_us;
  const bool same = now.spec == circle.spec && now.placed == circle.placed &&
                    now.workers == circle.workers && now.nodes_up == circle.nodes_up &&
                    now.leaks == circle.leaks && now.high_water_us == circle.high_water_us &&
                    now.committed_work_us == circle.committed_work_us;
  if (!same) {
    now.since_us = now_us_;
    circle = now;
  }
  circle.fault = now.fault;
  circle.attempts += job.attempts > 0 ? 1 : 0;
  // A run with an end of its own shows what comes until then.
  if (circle.attempts % kEnoughAttempts != 0 || circle.attempts == 0 || scenario_->until_us ||
      !all_in_circles()) {
    return;
  }
  for (Job& other : jobs_) {
    if (other.stage != Stage::kEnded && !other.stuck) {
      give_up_on(other.stuck);
    }
  }
}

bool World::all_in_circles() const {
  const bool jobs_are = std::ranges::all_of(jobs_, [&](const Job& job) {
    const bool circling = job.circle.attempts >= kEnoughAttempts && !job.circle.limited &&
                          job.upload_errors.empty() && !job.divergent &&
                          repeats_exactly(spec(job).phases) &&
                          repeats_exactly(spec(job).restart_phases);
    return job.stage == Stage::kEnded || job.stuck || circling || waits_in_vain(job) ||
           stands_still(job, calendar_.entries());
  });
  const bool experiments_are = std::ranges::all_of(experiments_, [&](const Experiment& one) {
    return one.ended || one.stuck || waits_in_vain(one);
  });
  if (!jobs_are || !experiments_are) {
    return false;
  }
  const bool faults_to_come = std::ranges::any_of(scenario_->faults, [&](const FaultSpec& fault) {
    const bool waits =
        fault.when &&
        jobs_[fault.when->job].phase_count[static_cast<std::size_t>(fault.when->phase)] <
            fault.when->nth;
    return fault.source.has_value() || waits;
  });
  return !faults_to_come && std::ranges::all_of(calendar_.entries(), belongs_to_attempts);
}

}  // namespace aftershock::sim
