#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/invariants/invariant_checker.h"
#include "sim/scenario/text/node_names.h"
#include "sim/scenario/text/units.h"

// Deadlines of the checker. Time is told where the cluster is left alone: whatever strikes it takes
// back what was promised before (chaos.md 5.4).
namespace aftershock::sim::invariants {

namespace {

// The scheduler works at every change, so that this is long.
constexpr std::int64_t kAtOnceUs = 1'000'000;

struct DeadlineWords {
  std::string_view id;
  std::string_view what;
};
constexpr std::array<DeadlineWords, kDeadlineKinds> kDeadlineWords{{
    {"L2", "an answer to the rank that hangs"},
    {"L6", "the end of the rendezvous"},
    {"L8", "a decision of the controller that came back"},
    {"L9", "the end that a user asked for"},
    {"L11", "an attempt of the size that there is room for"},
}};

bool tells_of_failure(const policies::Event& event) {
  using namespace policies;
  return std::holds_alternative<WorkersFailed>(event) ||
         std::holds_alternative<PollUnanswered>(event) ||
         std::holds_alternative<HangSuspected>(event) ||
         std::holds_alternative<AttemptStartFailed>(event) ||
         std::holds_alternative<NodeUnreachable>(event) ||
         std::holds_alternative<DeviceFault>(event);
}

// Goes by what was heard, or says why not.
bool answers(const policies::Step& step, const policies::Batch& batch) {
  const bool heard = std::ranges::any_of(step.saw, [&](std::uint16_t at) {
    return at < batch.events.size() && tells_of_failure(batch.events[at]);
  });
  return heard && (!step.commands.empty() || !step.budgets.empty() || !step.rejected.empty() ||
                   step.from_state != step.to_state);
}

// How soon an elastic policy has to look, by Ray Train's configuration.
std::int64_t look_for_room_us(const scenario::JobSpec& job) {
  constexpr double kDefaultS = 60;
  constexpr double kMicrosPerSecond = 1e6;
  const auto found = job.policy.config->find("elastic_resize_monitor_interval_s");
  const double interval_s =
      found != job.policy.config->end() && found->is_number() ? found->get<double>() : kDefaultS;
  return static_cast<std::int64_t>(interval_s * kMicrosPerSecond);
}

}  // namespace

void InvariantChecker::expect(const workload::Job& job, DeadlineKind due, std::int64_t by_us) {
  books_[job.index].deadlines.make(due, {now_us_, by_us});
}

void InvariantChecker::judge_deadline(std::uint32_t job, DeadlineKind due) {
  const auto deadline = books_[job].deadlines.take(due);
  if (!deadline || now_us_ <= deadline->by_us) {
    return;
  }
  const DeadlineWords& words = kDeadlineWords[static_cast<std::size_t>(due)];
  find(words.id, job,
       fmt::format("{} took {}, and at most {} is allowed", words.what,
                   scenario::format_duration(now_us_ - deadline->since_us),
                   scenario::format_duration(deadline->by_us - deadline->since_us)));
}

// Nothing more is due of it; what was due before is.
void InvariantChecker::end_deadlines(std::uint32_t job) {
  if (books_[job].deadlines.any()) {
    for (std::size_t i = 0; i < kDeadlineKinds; ++i) {
      judge_deadline(job, static_cast<DeadlineKind>(i));
    }
  }
}

std::vector<MissedDeadline> InvariantChecker::missed_deadlines(const workload::Job& job) const {
  std::vector<MissedDeadline> found;
  const Deadlines& deadlines = books_[job.index].deadlines;
  for (std::size_t i = 0; i < kDeadlineKinds; ++i) {
    const auto due = static_cast<DeadlineKind>(i);
    if (deadlines.made(due) && deadlines.of(due).by_us < now_us_) {
      found.push_back({kDeadlineWords[i].id, kDeadlineWords[i].what, deadlines.of(due)});
    }
  }
  return found;
}

// A decision while something is due.
void InvariantChecker::check_deadlines(const workload::Job& job, JobBook& book,
                                       const policies::Decision& decision) {
  const policies::Batch& batch = job.control.host.batch();
  if (book.deadlines.made(DeadlineKind::kDecides) && !decision.steps.empty()) {
    check_kept(job, DeadlineKind::kDecides);
  }
  if (book.deadlines.made(DeadlineKind::kHangAnswered) &&
      std::ranges::any_of(decision.steps,
                          [&](const policies::Step& step) { return answers(step, batch); })) {
    check_kept(job, DeadlineKind::kHangAnswered);
  }
  for (const policies::Step& step : decision.steps) {
    for (const policies::Command& command : step.commands) {
      if (const auto* stop = std::get_if<policies::StopWorkers>(&command)) {
        book.deadlines.extend(DeadlineKind::kStops, stop->grace_us);
        check_kept(job, DeadlineKind::kGrows);
        check_kept(job, DeadlineKind::kHangAnswered);
      }
    }
  }
}

void InvariantChecker::room(const workload::Job& job) {
  JobBook& book = books_[job.index];
  const bool more =
      job.pool_watch.capacity && job.pool_watch.capacity_told &&
      std::min(*job.pool_watch.capacity_told, job.pool_watch.capacity->workers) > job.workers;
  if (!more || !book.ran || book.failed || job.broken) {
    book.deadlines.take(DeadlineKind::kGrows);
  } else if (!book.deadlines.made(DeadlineKind::kGrows)) {
    constexpr std::int64_t kLooks = 2;  // it may have looked just before, and waits for a poll
    constexpr std::int64_t kSlackUs = 60'000'000;
    const std::int64_t look_us = look_for_room_us(scenario_->jobs[job.index]);
    expect(job, DeadlineKind::kGrows, now_us_ + kLooks * look_us + kSlackUs);
  }
}

void InvariantChecker::waits(const workload::Job& job) {
  constexpr std::uint32_t kMoreThanThereAre = ~std::uint32_t{0};
  const scenario::JobSpec& spec = scenario_->jobs[job.index];
  const std::uint32_t per_node = scenario_->cluster.pools[spec.pool].accelerators_per_node;
  // Where it may not be put on any node the number of free ones says nothing.
  const std::uint32_t needed =
      spec.spread ? kMoreThanThereAre : (job.workers + per_node - 1) / per_node;
  waiting_.join(job.index, spec.pool, job.wait.first_in_queue, needed);
  looked_us_ = now_us_;
}

// To be called between entries. Between the last look and this one nothing has changed.
void InvariantChecker::check_waiting(const std::vector<machines::Pool>& pools) {
  const auto available = [&](std::uint32_t pool) { return pools[pool].available(); };
  waiting_.look(looked_us_, available,
                [&](const WaitingJobs::Place& place, std::int64_t& since_us) {
                  if (since_us >= 0 && now_us_ - since_us > kAtOnceUs) {
                    find("L4", place.job,
                         fmt::format("waits for {} nodes, and {} have been free for {}",
                                     place.needed, available(scenario_->jobs[place.job].pool),
                                     scenario::format_duration(now_us_ - since_us)));
                    since_us = now_us_;
                  }
                });
  looked_us_ = now_us_;
}

void InvariantChecker::isolated(std::uint32_t pool, std::uint32_t node, std::uint32_t machine,
                                std::int64_t by_us) {
  if (scenario_->cluster.pools[pool].repaired_stay_away) {
    return;  // healthy nodes are used up, and go with the job that holds them
  }
  std::erase_if(isolations_,
                [&](const Drain& one) { return one.pool == pool && one.node == node; });
  isolations_.push_back({pool, node, machine, by_us});
}

void InvariantChecker::check_isolated(const std::vector<machines::Pool>& pools) {
  for (const Drain& one : isolations_) {
    const machines::Node& node = pools[one.pool].node(one.node);
    if (node.isolated && node.up && node.epoch == one.machine && one.deadline_us < now_us_) {
      findings_.push_back(
          {"L5", fmt::format("{} has been well for {}, and is isolated",
                             scenario::node_name(scenario_->cluster.pools[one.pool], one.node),
                             scenario::format_duration(now_us_ - one.deadline_us))});
    }
  }
  isolations_.clear();
}

// Deadlines are judged where no more faults strike.
void InvariantChecker::struck(std::uint32_t number) {
  if (now_us_ != moment_.t_us) {
    moment_ = {now_us_, number, 0};
  }
  ++moment_.faults;
  for (std::uint32_t job = 0; job < books_.size(); ++job) {
    JobBook& book = books_[job];
    book.fruitless = 0;
    end_deadlines(job);
    if (moment_.faults == 1) {
      book.serial = 0;
      book.serial_cause = -1;
    }
  }
}

// As many attempts as failures, one after the other, where one would have done for all.
void InvariantChecker::check_serial(const workload::Job& job, JobBook& book) {
  constexpr std::uint32_t kFewest = 4;
  const std::int64_t cause = job.start_cause.is_fault() ? job.start_cause.value : -1;
  const bool of_moment =
      cause >= moment_.first && cause < std::int64_t{moment_.first} + moment_.faults;
  if (cause >= 0 && (!of_moment || cause == book.serial_cause)) {
    return;  // another one, or one that lasts
  }
  book.serial_cause = cause >= 0 ? cause : book.serial_cause;
  if (++book.serial == moment_.faults && moment_.faults >= kFewest) {
    find("L10", job,
         fmt::format("{} attempts followed one another after {} failures at one moment",
                     book.serial, moment_.faults));
  }
}

}  // namespace aftershock::sim::invariants
