#include <algorithm>
#include <iterator>
#include <optional>

#include "tests/mutants/mutants.h"

// Policies that go wrong, each in one way: a new one is a row.
namespace aftershock::sim {

namespace {

using namespace policies;

constexpr CommandId kOwnId = 2'000'000;  // ids that no policy gives to a command

const std::string kRay = "scenarios/ray/";
const std::string kPods = "scenarios/modelarts/";
const std::string kMaxFailures = "/jobs/0/policy/config/max_failures=";

// Commits whatever the first rank that reports has written, as if all had.
void takes_one_report_for_all(Batch& batch, Memo&) {
  for (Event& event : batch.events) {
    if (auto* report = std::get_if<CheckpointReported>(&event)) {
      report->ranks = RankSet::range(0, 4);
    }
  }
}

// Of several things that it does at once it tells the first.
void names_its_first_rule_alone(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    step.rule = decision.steps.front().rule;
  }
}

void deletes_what_it_commits(const Batch&, Decision& decision, Memo&) {
  if (const auto* commit = first<CommitCheckpoint>(decision)) {
    const CheckpointId id = commit->checkpoint;
    decision.steps.back().commands.emplace_back(DeleteCheckpoints{kOwnId + id, 0, {id}});
  }
}

void pays_twice(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    if (!step.budgets.empty()) {
      BudgetMove again = step.budgets.front();
      ++again.used;
      step.budgets.push_back(again);
    }
  }
}

// Looks at the clock, and takes what it says for a failure.
void pays_at_every_alarm(const Batch& batch, Decision& decision, Memo& memo) {
  constexpr DurationUs kMinuteUs = 60'000'000;
  for (std::uint16_t at = 0; at < batch.events.size(); ++at) {
    if (std::holds_alternative<Timer>(batch.events[at])) {
      decision.steps.push_back(
          {.saw = {at}, .budgets = {{.used = ++memo.times, .limit = std::nullopt}}});
    }
  }
  decision.watch.wake_us = batch.t_us + kMinuteUs;
}

void counts_the_exempt(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.used += move.exempt ? 1 : 0;
    }
  }
}

void pays_nothing(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    step.budgets.clear();
  }
}

// Says what the limit is, and goes by another.
void goes_beyond_one(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.limit = 1;
    }
  }
}

void begins_counting_anew(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.used = std::min<std::int64_t>(move.used, 1);
    }
  }
}

void calls_it_used_up(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.exhausted = true;
    }
  }
}

// Takes errors of the application for something that does not count, for ever.
void forgives_the_application(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.limit = 3;
      move.used = 0;
      move.exempt = true;
    }
  }
}

void says_it_twice(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    std::vector<Command> twice;
    for (const Command& command : step.commands) {
      twice.insert(twice.end(), 2, command);
    }
    step.commands = std::move(twice);
  }
}

void stops_what_has_just_begun(const Batch& batch, Decision& decision, Memo& memo) {
  for (const Event& event : batch.events) {
    const auto* running = std::get_if<AttemptRunning>(&event);
    if (running != nullptr && memo.times++ == 0) {
      decision.steps.back().commands.emplace_back(
          StopWorkers{.id = kOwnId, .job = 0, .epoch = running->epoch});
    }
  }
}

// Goes on with the tracker of the attempt that was watched first.
void keeps_its_first_watch(const Batch&, Decision& decision, Memo& memo) {
  if (decision.watch.poll) {
    memo.times = memo.times == 0 ? static_cast<int>(decision.watch.poll->epoch) : memo.times;
    decision.watch.poll->epoch = static_cast<Epoch>(memo.times);
  }
}

void finds_nothing_stored(Batch& batch, Memo&) {
  for (Event& event : batch.events) {
    if (auto* started = std::get_if<ControllerStarted>(&event)) {
      started->durable.clear();
    }
  }
}

// Resumes from what was reported last, or comes next: whole or not.
void trusts_the_newest(const Batch&, Decision& decision, Memo&) {
  each<StartAttempt>(decision, [](StartAttempt& start) {
    if (start.from) {
      start.from = *start.from + 1;
    }
  });
}

// Forgets to start again.
void starts_once(const Batch&, Decision& decision, Memo& memo) {
  for (Step& step : decision.steps) {
    std::erase_if(step.commands, [&](const Command& command) {
      return std::holds_alternative<StartAttempt>(command) && memo.times++ > 0;
    });
  }
}

// Takes each attempt for failed as soon as it runs.
void hears_of_failures(Batch& batch, Memo&) {
  for (std::size_t i = 0; i < batch.events.size(); ++i) {
    if (const auto* running = std::get_if<AttemptRunning>(&batch.events[i])) {
      batch.events.emplace_back(WorkersFailed{.job = 0,
                                              .epoch = running->epoch,
                                              .ranks = RankSet::range(0, 1),
                                              .kind = WorkerFailure::kNodeLost});
      return;
    }
  }
}

std::vector<InvariantMutant> storage_mutants() {
  return {
      {.name = "resumes from an older checkpoint",
       .id = "S04",
       .mutation = changes<StartAttempt>([](StartAttempt& start) {
         if (start.from) {
           start.from = *start.from - 1;
         }
       })},
      {.name = "begins at zero",
       .id = "S04",
       .mutation = changes<StartAttempt>([](StartAttempt& start) { start.from.reset(); })},
      {.name = "picks the newest checkpoint blindly",
       .id = "S05",
       .mutation = says(trusts_the_newest)},
      {.name = "commits what one rank has reported",
       .id = "S05",
       .scenarios = {kRay + "crash_after_report.json"},
       .mutation = hears(takes_one_report_for_all)},
      {.name = "waits for no rank that a notice names, and does not say so",
       .id = "S05",
       .scenarios = {kRay + "2026-11/relaxed_collectives.json"},
       .mutation = says(names_its_first_rule_alone)},
      {.name = "deletes what it commits", .id = "S06", .mutation = says(deletes_what_it_commits)},
  };
}

std::vector<InvariantMutant> budget_mutants() {
  return {
      {.name = "charges a failure twice", .id = "S08", .mutation = says(pays_twice)},
      {.name = "charges whenever it looks at the clock",
       .id = "S08",
       .sets = {"/faults/0/at=9h", "/faults/1/at=9h"},
       .mutation = says(pays_at_every_alarm),
       .alone = true},
      {.name = "counts a cause that is exempt",
       .id = "S08",
       .scenarios = {kRay + "preemption_spared.json"},
       .mutation = says(counts_the_exempt)},
      {.name = "restarts without a charge", .id = "S09", .mutation = says(pays_nothing)},
      {.name = "goes beyond its limit", .id = "S09", .mutation = says(goes_beyond_one)},
      {.name = "begins to count anew", .id = "S09", .mutation = says(begins_counting_anew)},
      {.name = "gives up for a reason of its own",
       .id = "S10",
       .sets = {kMaxFailures + "0"},
       .mutation = changes<Fail>([](Fail& fail) { fail.reason = "enough"; })},
      {.name = "gives up by a rule that it has not",
       .id = "S10",
       .sets = {kMaxFailures + "0"},
       .mutation = changes<Fail>([](Fail& fail) { fail.reason = "gave_up(enough)"; })},
      {.name = "calls a budget used up that is not",
       .id = "S11",
       .mutation = says(calls_it_used_up)},
      {.name = "gives up with retries left",
       .id = "S11",
       .sets = {kMaxFailures + "1"},
       .mutant_sets = {kMaxFailures + "0"},
       .mutation = says([](const Batch&, Decision& decision, Memo&) {
         for (Step& step : decision.steps) {
           for (BudgetMove& move : step.budgets) {
             move.limit = 1;
             move.exhausted = false;
           }
         }
       })},
      {.name = "retries an error of the application for ever",
       .id = "S13",
       .scenarios = {kRay + "deterministic_bug.json"},
       .mutant_sets = {kMaxFailures + "-1"},
       .mutation = says(forgives_the_application)},
  };
}

std::vector<InvariantMutant> command_mutants() {
  return {
      {.name = "stops another job",
       .id = "S15",
       .mutation = changes<StopWorkers>([](StopWorkers& stop) { stop.job = 1; })},
      {.name = "asks for more workers than there may be",
       .id = "S17",
       .mutation = changes<StartAttempt>([](StartAttempt& start) { ++start.workers; })},
      {.name = "starts an elastic group below its least size",
       .id = "S17",
       .scenarios = {kRay + "elastic_4_32.json"},
       .mutation = changes<StartAttempt>([](StartAttempt& start) { start.workers = 3; })},
      {.name = "gives each command twice", .id = "S19", .mutation = says(says_it_twice)},
      {.name = "stops what runs well", .id = "S21", .mutation = says(stops_what_has_just_begun)},
      {.name = "watches the attempt before", .id = "S22", .mutation = says(keeps_its_first_watch)},
      {.name = "forgets its counters with its controller",
       .id = "S24",
       .scenarios = {kPods + "control_plane_restored.json"},
       .mutation = hears(finds_nothing_stored)},
      {.name = "does not look for a checkpoint under a new controller",
       .id = "S24",
       .scenarios = {kRay + "head_lost.json"},
       .mutation = hears(finds_nothing_stored)},
  };
}

std::vector<InvariantMutant> lame_mutants() {
  return {
      {.name = "forgets to start again", .id = "L1", .mutation = says(starts_once)},
      {.name = "takes each attempt for failed",
       .id = "L3",
       .mutant_sets = {kMaxFailures + "-1"},
       .mutation = hears(hears_of_failures)},
  };
}

}  // namespace

std::string two_crashes() {
  return R"({"schema": 1, "name": "two_crashes", "seed": 1, "question": "who sees it?",
 "cluster": {
  "pools": [{"name": "p", "nodes": 4, "spares": 2,
             "accelerators": {"kind": "gpu", "per_node": 2}}],
  "storage": [{"name": "s3", "read": "10GB/s", "write": "10GB/s"}]},
 "jobs": [{"name": "a", "pool": "p", "workers": 8, "steps": 400, "step": "10s",
   "checkpoint": {"every": "5min", "bytes": "10GB", "blocking": "1s", "upload": "async", "keep": 3},
   "phases": {"launching": "10s", "rendezvous": "10s", "warming_up": "10s", "tearing_down": "2s"},
   "run": {"storage": "s3", "storage_path": "s3://b", "name": "a"},
   "policy": {"name": "ray_train", "config": {"max_failures": 3}}}],
 "faults": [
  {"id": "one", "kind": "worker_crash", "target": "job:a/rank:3", "at": "20min"},
  {"id": "two", "kind": "worker_crash", "target": "job:a/rank:6", "at": "45min"}]})";
}

std::vector<InvariantMutant> wrong_policies() {
  std::vector<InvariantMutant> rows;
  for (const auto part : {storage_mutants, budget_mutants, command_mutants, lame_mutants}) {
    std::ranges::move(part(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace aftershock::sim
