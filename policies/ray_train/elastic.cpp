// Elastic scaling: how many workers to ask for, and when a running group is given another size.

#include "policies/ray_train/elastic.h"

#include <algorithm>
#include <utility>

#include "policies/ray_train/controller.h"

namespace aftershock::policies::ray_train {
namespace {

// Every query is answered from a list of nodes that the coordinator renews at this beat, and a
// request that is sent again renews nothing (ray.md 1.7). So a restart right after a loss asks for
// the old size.
constexpr DurationUs kNodeListPeriodUs = 20 * kSecondUs;
constexpr DurationUs kRequestPeriodUs = 20 * kSecondUs;

constexpr std::int64_t ceiling(std::int64_t dividend, std::int64_t divisor) {
  return dividend <= 0 ? 0 : (dividend + divisor - 1) / divisor;
}

TimeUs first_consideration(const Considerations& times) {
  return first_poll(times.anchor_us, times.period_us, times.anchor_us,
                    times.base_us + times.interval_us);
}

/// A consideration is at a poll, and so is the next one.
DurationUs stride(const Considerations& times) {
  return std::max<std::int64_t>(1, ceiling(times.interval_us, times.period_us)) * times.period_us;
}

}  // namespace

TimeUs first_poll(TimeUs anchor_us, DurationUs period_us, TimeUs after_us, TimeUs not_before_us) {
  const TimeUs earliest = std::max(after_us + 1, not_before_us);
  return anchor_us + ceiling(earliest - anchor_us, period_us) * period_us;
}

TimeUs next_consideration(const Considerations& times, TimeUs from_us) {
  const TimeUs first = first_consideration(times);
  return first + ceiling(from_us - first, stride(times)) * stride(times);
}

std::optional<TimeUs> last_consideration(const Considerations& times, TimeUs until_us) {
  const TimeUs first = first_consideration(times);
  if (until_us < first) {
    return std::nullopt;
  }
  return first + (until_us - first) / stride(times) * stride(times);
}

void RayTrain::on(Turn& turn, Index at, const CapacityChanged& capacity) {
  if (!elastic_ || (job_known_ && capacity.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  possible_ = capacity.workers;
  const bool waits = state_ == State::kInitializing || state_ == State::kRestarting ||
                     state_ == State::kRescheduling;
  if (submitted_ && waits && possible_size()) {
    schedule(turn, {at});
  }
}

std::optional<std::uint32_t> RayTrain::possible_size() const {
  if (!elastic_) {
    return most_workers_;
  }
  if (!possible_ || *possible_ < least_workers_) {
    return std::nullopt;
  }
  return std::min(*possible_, most_workers_);
}

bool RayTrain::would_resize() const {
  const auto size = possible_size();
  return elastic_ && state_ == State::kRunning && size && *size != workers_;
}

Considerations RayTrain::considerations() const {
  return {.base_us = considered_us_,
          .anchor_us = anchor_us_,
          .period_us = config_.health_check_interval_us,
          .interval_us = config_.elastic_resize_monitor_interval_us};
}

void RayTrain::wait_for_size(Turn& turn, std::vector<Index> saw) {
  Step& step = add_step(turn, RuleId::kElasticWait, state_);
  step.saw = std::move(saw);
  step.rejected.push_back({"start a smaller group", "it would be below the least number"});
  if (group_ == Group::kRunning) {
    step.rejected.push_back(
        {"stop the surviving workers", "a group is torn down when the next one is scheduled"});
  } else if (group_ == Group::kStarting) {
    stop_group(turn);
  }
}

void RayTrain::consider_resize(Turn& turn) {
  const TimeUs now = turn.batch.t_us;
  if (!would_resize() || next_consideration(considerations(), now) != now) {
    return;
  }
  Step& step = add_step(turn, RuleId::kElasticResize, State::kResizing);
  step.rejected.push_back({"ask for a checkpoint first",
                           "a resize asks for none: what was done since the last report is lost"});
  schedule(turn, {});
}

void RayTrain::watch_capacity(Turn& turn) const {
  if (!elastic_ || !submitted_ || state_ == State::kShuttingDown) {
    return;
  }
  turn.decision.watch.capacity = CapacityWatch{.anchor_us = submitted_us_,
                                               .workers = most_workers_,
                                               .query_period_us = kNodeListPeriodUs,
                                               .request_period_us = kRequestPeriodUs};
  if (would_resize()) {
    turn.decision.watch.wake_us = next_consideration(considerations(), turn.batch.t_us + 1);
  }
}

}  // namespace aftershock::policies::ray_train
