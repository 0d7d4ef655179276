#include <algorithm>
#include <string>

#include "tests/mutants/mutants.h"

// Policies that do what they should, and too late, or in too many steps: a new one is a row.
namespace aftershock::sim {

namespace {

using namespace policies;

constexpr DurationUs kTwoHoursUs = 7'200'000'000;
constexpr CommandId kSlowId = 3'000'000;          // ids that no policy gives to a command
const std::string kNoSecond = "/faults/1/at=9h";  // when all is over

template <class Wanted>
bool has(const Batch& batch) {
  return std::ranges::any_of(
      batch.events, [](const Event& event) { return std::holds_alternative<Wanted>(event); });
}

template <class Unwanted>
void forget(Batch& batch) {
  std::erase_if(batch.events,
                [](const Event& event) { return std::holds_alternative<Unwanted>(event); });
}

// A policy that has put something off looks at it again after two hours.
void wakes_later(const Batch& batch, Decision& decision, Memo& memo) {
  if (memo.times == 1) {
    decision.watch.wake_us = batch.t_us + kTwoHoursUs;
    memo.times = 2;
  }
}

// Puts off what it hears of workers that failed.
void sits_on_failures(Batch& batch, Memo& memo) {
  if (memo.times == 0 && has<WorkersFailed>(batch)) {
    forget<WorkersFailed>(batch);
    memo.times = 1;
  } else if (memo.times == 2 && has<Timer>(batch)) {
    batch.events = {WorkersFailed{.job = 0,
                                  .epoch = 1,
                                  .ranks = RankSet::range(0, 8),
                                  .kind = WorkerFailure::kCollectiveTimeout}};
    memo.times = 3;
  }
}

// A controller that comes back does nothing for a while.
void comes_back_slowly(Batch& batch, Memo& memo) {
  const auto started = std::ranges::find_if(batch.events, [](const Event& event) {
    const auto* one = std::get_if<ControllerStarted>(&event);
    return one != nullptr && one->epoch > 0;
  });
  if (memo.times == 0 && started != batch.events.end()) {
    memo.commands = {
        Notify{.id = 0, .job = 0, .text = std::get<ControllerStarted>(*started).durable}};
    batch.events.clear();
    memo.times = 1;
  } else if (memo.times == 2 && has<Timer>(batch)) {
    batch.events = {
        ControllerStarted{
            .job = 0, .durable = std::get<Notify>(memo.commands.front()).text, .epoch = 1},
        JobSubmitted{.job = 0, .workers = 8}};
    memo.times = 3;
  }
}

void does_not_hear_the_user(Batch& batch, Memo&) { forget<StopRequested>(batch); }

void thinks_small(Batch& batch, Memo&) {
  for (Event& event : batch.events) {
    if (auto* capacity = std::get_if<CapacityChanged>(&event)) {
      capacity->workers = std::min(capacity->workers, 16U);
    }
  }
}

// Has heard of four failures, and goes through them one by one: a command that is refused makes it
// look again as soon as an attempt runs.
constexpr Epoch kLastOfFour = 5;
void asks_for_the_next(const Batch& batch, Decision& decision, Memo& memo) {
  for (const Event& event : batch.events) {
    const auto* running = std::get_if<AttemptRunning>(&event);
    if (running != nullptr && running->epoch > 1 && running->epoch < kLastOfFour) {
      memo.times = static_cast<int>(running->epoch);
      decision.steps.back().commands.emplace_back(
          CommitCheckpoint{.id = kSlowId + running->epoch, .job = 0, .checkpoint = 999'999});
    }
  }
}
void hears_of_one_more(Batch& batch, Memo& memo) {
  for (Event& event : batch.events) {
    if (std::holds_alternative<CommandResult>(event)) {
      event = WorkersFailed{
          .job = 0, .epoch = static_cast<Epoch>(memo.times), .ranks = RankSet::range(0, 1)};
    }
  }
}

// Looks again a second later, and takes the backoff for over.
constexpr DurationUs kLongestUs = 360 * kSecondUs;
void wakes_at_once(const Batch& batch, Decision& decision, Memo& memo) {
  memo.times = decision.watch.backoff ? 1 : 0;
  if (decision.watch.backoff) {
    decision.watch.wake_us = batch.t_us + kSecondUs;
  }
}
void takes_it_for_over(Batch& batch, Memo& memo) {
  if (memo.times == 1 && has<Timer>(batch)) {
    batch.t_us += kLongestUs;
  }
}

// Says that it waits for twice as long as it may.
void waits_too_long(const Batch&, Decision& decision, Memo&) {
  if (auto& backoff = decision.watch.backoff) {
    backoff->longest_us = (backoff->until_us - backoff->since_us) / 2;
  }
}

const std::vector<std::string> kBacksOff = {
    "/jobs/0/collective_timeout=10min", "/jobs/0/policy/name=job",
    R"(/jobs/0/policy/config={"completionMode": "Indexed", "completions": 4, "parallelism": 4,
                              "backoffLimit": 20})"};

const std::string kFourCrashes = R"(/faults=[
  {"id": "a", "kind": "worker_crash", "target": "job:a/rank:0", "at": "20min"},
  {"id": "b", "kind": "worker_crash", "target": "job:a/rank:2", "at": "20min"},
  {"id": "c", "kind": "worker_crash", "target": "job:a/rank:4", "at": "20min"},
  {"id": "d", "kind": "worker_crash", "target": "job:a/rank:6", "at": "20min"}])";

}  // namespace

std::vector<InvariantMutant> slow_policies() {
  return {
      {.name = "puts a hang off",
       .id = "L2",
       .sets = {"/jobs/0/collective_timeout=10min", "/faults/0/kind=hang", kNoSecond},
       .mutation = {.hears = sits_on_failures, .says = wakes_later},
       .alone = true},
      {.name = "comes back slowly",
       .id = "L8",
       .sets = {R"(/cluster/heads=[{"name": "head-0", "restart": {"after": "5min"}}])",
                "/faults/0/kind=head_crash", "/faults/0/target=head:head-0", kNoSecond},
       .mutation = {.hears = comes_back_slowly, .says = wakes_later},
       .alone = true},
      {.name = "does not hear the user",
       .id = "L9",
       .sets = {"/faults/0/kind=user_interrupt", "/faults/0/target=job:a", kNoSecond},
       .mutation = hears(does_not_hear_the_user),
       .alone = true},
      {.name = "takes failures one by one",
       .id = "L10",
       .sets = {"/jobs/0/policy/config/max_failures=-1", kFourCrashes},
       .mutation = {.hears = hears_of_one_more, .says = asks_for_the_next},
       .alone = true},
      {.name = "does not wait its backoff out",
       .id = "S12",
       .sets = kBacksOff,
       .mutation = {.hears = takes_it_for_over, .says = wakes_at_once},
       .alone = true},
      {.name = "backs off for too long",
       .id = "S12",
       .sets = kBacksOff,
       .mutation = says(waits_too_long),
       .alone = true},
      {.name = "thinks small",
       .id = "L11",
       .scenarios = {"scenarios/ray/elastic_4_32.json"},
       .mutation = hears(thinks_small),
       .alone = true},
  };
}

}  // namespace aftershock::sim
