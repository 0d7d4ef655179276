#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "sim/invariants/invariant_checker.h"

// The events that a policy hears, and the steps that it answers with.
namespace aftershock::sim::invariants {

namespace {

using policies::Event;

/// The attempt that the event is about, where it says so.
std::optional<policies::Epoch> epoch_heard(const Event& event) {
  return std::visit(
      [](const auto& heard) -> std::optional<policies::Epoch> {
        using Heard = std::decay_t<decltype(heard)>;
        if constexpr (std::is_same_v<Heard, policies::ControllerStarted>) {
          return std::nullopt;  // attempts count on from it
        } else if constexpr (requires { heard.epoch; }) {
          return heard.epoch;
        } else {
          return std::nullopt;
        }
      },
      event);
}

template <class Wanted, class... Types>
constexpr std::uint64_t bit_of(const std::variant<Types...>*) {
  std::uint64_t bit = 1;
  static_cast<void>(((std::is_same_v<Wanted, Types> ? false : (bit <<= 1U, true)) && ...));
  return bit;
}

/// Which of the alternatives of a variant these are, as bits.
template <class Variant, class... Wanted>
inline constexpr std::uint64_t kBitsOf = (bit_of<Wanted>(static_cast<Variant*>(nullptr)) | ...);

bool acts(const policies::Step& step) {
  using namespace policies;
  constexpr std::uint64_t kActs =
      kBitsOf<Command, StartAttempt, StopWorkers, ReplaceWorkers, RestartProcesses, RecreatePods>;
  return std::ranges::any_of(
      step.commands, [](const Command& command) { return (kActs >> command.index() & 1U) != 0; });
}

/// All that failed was the application's own doing.
bool ended_by_application(const policies::Batch& batch) {
  bool any = false;
  for (const Event& event : batch.events) {
    if (const auto* failed = std::get_if<policies::WorkersFailed>(&event)) {
      const bool own = failed->kind == policies::WorkerFailure::kException ||
                       failed->kind == policies::WorkerFailure::kExit;
      if (!own || failed->preempted) {
        return false;
      }
      any = true;
    }
  }
  return any;
}

}  // namespace

void InvariantChecker::hear(const workload::Job& job, JobBook& book, const Event& event) {
  if (const auto* report = std::get_if<policies::CheckpointReported>(&event)) {
    hear_report(job, book, *report);
    return;
  }
  if (const auto* running = std::get_if<policies::AttemptRunning>(&event)) {
    book.ran |= running->epoch == book.epoch;
    if (job.pool_watch.capacity) {
      room(job);
    }
    return;
  }
  constexpr std::uint64_t kSaysNothing =
      kBitsOf<Event, policies::JobSubmitted, policies::Timer, policies::NodeJoined,
              policies::CheckpointDurable, policies::MetricsReported>;
  if ((kSaysNothing >> event.index() & 1U) != 0) {
    return;
  }
  const auto epoch = epoch_heard(event);
  if (epoch && *epoch < book.epoch) {
    return;
  }
  book.evidence = true;
  if (const auto* notice = std::get_if<policies::PreemptionNotice>(&event)) {
    book.announced.add(notice->ranks);
  }
  const bool broke = std::holds_alternative<policies::DeviceFault>(event) ||
                     std::holds_alternative<policies::NodeUnreachable>(event);
  if (broke) {
    book.application = 0;  // found late, perhaps, and charged to nobody: modelarts.md A8
  }
  book.hardware |= broke || std::holds_alternative<policies::StopRequested>(event);
  const auto* failed = std::get_if<policies::WorkersFailed>(&event);
  book.failed |= failed != nullptr || std::holds_alternative<policies::PollUnanswered>(event);
}

void InvariantChecker::decided(const workload::Job& job, const policies::Decision& decision) {
  JobBook& book = books_[job.index];
  const bool failed_before = book.failed;
  for (const Event& event : job.control.host.batch().events) {
    hear(job, book, event);
  }
  if (book.failed && !failed_before) {
    const bool own = ended_by_application(job.control.host.batch());
    book.application = own ? book.application + 1 : 0;
  }
  if (book.restarted) {
    check_knowledge(job, book, decision);
  }
  if (book.deadlines.any()) {
    check_deadlines(job, book, decision);
  }
  const std::vector<std::uint16_t>& relaxing = job.control.host.info().relaxing;
  for (const policies::Step& step : decision.steps) {
    book.relaxed |= std::ranges::find(relaxing, step.rule) != relaxing.end();
    check_step(job, book, step);
  }
}

void InvariantChecker::check_step(const workload::Job& job, JobBook& book,
                                  const policies::Step& step) {
  if (step.budgets.empty() && !acts(step)) {
    return;
  }
  const std::vector<Event>& events = job.control.host.batch().events;
  const auto stale = [&](std::uint16_t at) {
    const auto epoch = at < events.size() ? epoch_heard(events[at]) : std::nullopt;
    if (!epoch || *epoch >= book.epoch) {
      return false;
    }
    // An agent that comes back from behind a cut counts how its own workers have ended, whatever
    // the others do by then.
    return !std::holds_alternative<policies::WorkersFailed>(events[at]) ||
           !job.control.host.info().agents;
  };
  if (!step.saw.empty() && std::ranges::all_of(step.saw, stale)) {
    find("S20", job,
         fmt::format("{} acts in attempt {} on what was heard of attempt {}",
                     job.control.host.info().rules[step.rule].id, book.epoch,
                     *epoch_heard(events[step.saw.front()])));
  }
  for (const policies::BudgetMove& move : step.budgets) {
    check_move(job, book, step, move);
    book.backs_off_since_us.reset();  // that is about something new, and it may do otherwise
  }
}

// A policy that says less than before has not heard of anything new: see check_step().
void InvariantChecker::check_backoff(const workload::Job& job, JobBook& book,
                                     const policies::Backoff& backoff) {
  const std::int64_t length_us = backoff.until_us - backoff.since_us;
  if (backoff.longest_us && length_us > *backoff.longest_us) {
    find("S12", job,
         fmt::format("backs off for {} us, and may for {}", length_us, *backoff.longest_us));
  }
  // An answer that waits for its time has been given.
  if (backoff.since_us == now_us_ && book.deadlines.made(DeadlineKind::kHangAnswered)) {
    check_kept(job, DeadlineKind::kHangAnswered);
  }
  if (!book.backs_off_since_us || backoff.until_us > book.backs_off_until_us) {
    book.backs_off_since_us = backoff.since_us;
    book.backs_off_until_us = backoff.until_us;
  }
}

void InvariantChecker::watches(const workload::Job& job, const policies::Watch& watch) {
  JobBook& book = books_[job.index];
  const auto look = [&](policies::Epoch epoch, std::string_view what) {
    if (epoch < book.epoch) {
      find("S22", job,
           fmt::format("the {} of attempt {} goes on in attempt {}", what, epoch, book.epoch));
    }
  };
  if (watch.poll) {
    look(watch.poll->epoch, "polling");
  }
  if (watch.futures) {
    look(watch.futures->epoch, "waiting");
  }
  if (watch.progress) {
    look(watch.progress->epoch, "watch for progress");
  }
  if (watch.metrics) {
    look(watch.metrics->epoch, "watch for metrics");
  }
  if (watch.backoff && watch.backoff->until_us > now_us_) {
    check_backoff(job, book, *watch.backoff);
  }
}

}  // namespace aftershock::sim::invariants
