#include "gui/trace/rollback.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

/// Phases between two of work are a handful; whoever writes millions gets no answer to the second.
constexpr std::size_t kPhasesMax = 256;
/// Beyond this sums would overflow.
constexpr std::int64_t kWorkMost_us = std::int64_t{1} << 61;

LaneSpans phases_of(const Trace& trace, std::uint32_t entity) {
  const Lane* lane = lane_of(trace, entity, SubLane::kPhases);
  return lane == nullptr ? LaneSpans{} : lane->columns.spans();
}

/// When work goes on that stood still at `t_us`.
std::int64_t next_work_us(const LaneSpans& phases, std::int64_t t_us) {
  const auto after = static_cast<std::size_t>(std::ranges::upper_bound(phases.begin_us, t_us) -
                                              phases.begin_us.begin());
  // The one that holds the moment may be of work.
  const std::size_t from = after == 0 ? 0 : after - 1;
  const std::size_t end = std::min(phases.size(), from + kPhasesMax);
  for (std::size_t i = from; i < end; ++i) {
    if (phases.kind[i] == Kind::kProductive && phases.end_us[i] > t_us) {
      return std::max(t_us, phases.begin_us[i]);
    }
  }
  return t_us;
}

}  // namespace

void RollbackFinder::take_header(const reports::RecordingHeader& header) {
  for (const reports::HeaderJob& job : header.jobs) {
    step_us_.emplace("job:" + job.name, job.step_us);
  }
}

RollbackFinder::Job& RollbackFinder::job_of(std::uint32_t entity) {
  if (const std::uint32_t* found = index_.find(entity)) {
    return jobs_[*found];
  }
  index_.set(entity, static_cast<std::uint32_t>(jobs_.size()));
  return jobs_.emplace_back();
}

void RollbackFinder::stand(Job& job, std::int64_t t_us, std::int64_t steps) {
  // A job that falls back to a stand that is dropped here falls back to this one: it is later.
  while (!job.stands.empty() && job.stands.back().steps > steps) {
    job.stands.pop_back();
  }
  job.stands.push_back({t_us, steps});
}

void RollbackFinder::take_steps(std::uint32_t entity, std::int64_t t_us, std::int64_t steps) {
  stand(job_of(entity), t_us, steps);
}

void RollbackFinder::look(Job& job, const LaneSpans& phases) {
  for (std::size_t i = phases.size(); i > job.looked_at; --i) {
    if (phases.kind[i - 1] == Kind::kProductive) {
      job.productive = static_cast<std::uint32_t>(i - 1);
      break;
    }
  }
  job.looked_at = static_cast<std::uint32_t>(phases.size());
}

void RollbackFinder::take_cause(const Trace& trace, std::uint32_t entity,
                                std::int64_t fault_number) {
  const LaneSpans phases = phases_of(trace, entity);
  if (phases.empty()) {
    return;
  }
  Job& job = job_of(entity);
  look(job, phases);
  if (job.cause < 0 || (job.productive != kNone && job.productive > job.cause_span)) {
    job.cause = fault_number;
    job.cause_span = static_cast<std::uint32_t>(phases.size() - 1);
  }
}

std::optional<std::int64_t> RollbackFinder::work_us(const Trace& trace, std::uint32_t entity,
                                                    std::int64_t steps) const {
  const auto step_us = step_us_.find(trace.entities[entity]);
  if (step_us == step_us_.end() || step_us->second <= 0 || steps < 0 ||
      steps > kWorkMost_us / step_us->second) {
    return std::nullopt;
  }
  return steps * step_us->second;
}

std::optional<std::int64_t> RollbackFinder::steps_of(const Trace& trace,
                                                     const RollbackRecord& record) const {
  const auto step_us = step_us_.find(trace.entities[record.entity]);
  if (step_us == step_us_.end() || step_us->second <= 0) {
    return std::nullopt;
  }
  return record.to / step_us->second;
}

std::int64_t RollbackFinder::last_stand_us(const Job& job, const LaneSpans& phases,
                                           std::int64_t steps, std::int64_t latest_us) {
  const auto after = std::ranges::upper_bound(job.stands, steps, {}, &Stand::steps);
  if (after == job.stands.begin()) {
    return phases.empty() ? latest_us : phases.begin_us.front();
  }
  // Of those within the same step, some may be in the middle of what is lost.
  const auto first = std::ranges::lower_bound(job.stands.begin(), after, std::prev(after)->steps,
                                              {}, &Stand::steps);
  const auto later = std::ranges::upper_bound(first, after, latest_us, {}, &Stand::t_us);
  return (later == first ? first : std::prev(later))->t_us;
}

RollbackFinder::Found RollbackFinder::take(const Trace& trace, const RollbackRecord& record) {
  Found found;
  RolledBack& lost = found.rolled_back;
  lost = {.entity = record.entity,
          .begin_us = record.at_us,
          .end_us = record.at_us,
          .at_us = record.at_us,
          .lost_us = record.lost_us,
          .from = record.from,
          .to = record.to};
  Job& job = job_of(record.entity);
  const LaneSpans phases = phases_of(trace, record.entity);
  look(job, phases);
  if (job.productive != kNone) {
    lost.end_us = std::min(record.at_us, phases.end_us[job.productive]);
    if (job.cause_span > job.productive) {
      found.fault_number = job.cause;
    }
  }
  const std::int64_t lost_us = std::clamp(record.lost_us, std::int64_t{0}, lost.end_us);
  lost.begin_us = lost.end_us - lost_us;
  if (const auto steps = steps_of(trace, record)) {
    lost.begin_us = std::min(
        lost.end_us, next_work_us(phases, last_stand_us(job, phases, *steps, lost.begin_us)));
    stand(job, record.at_us, *steps);
  }
  return found;
}

}  // namespace aftershock::gui
