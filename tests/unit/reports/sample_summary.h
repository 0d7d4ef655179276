#pragma once

#include "reports/ledger/summary.h"
#include "tests/unit/times.h"

namespace aftershock::reports::testing {

inline std::int64_t& in_bucket(JobSummary& job, Bucket bucket) {
  return job.ledger_us[static_cast<std::size_t>(bucket)];
}

/// 100,000 s of a job that dies of its second failure, on 128 GPUs.
inline JobSummary failed_job() {
  JobSummary job;
  job.name = "llm";
  job.policy = "ray_train@2026-05";
  job.outcome = "failed";
  job.reason = "exhausted(max_failures)";
  job.vendor_state = "ERRORED";
  job.wall_us = 100'000 * kSecond;
  job.steps = 20'000;
  job.steps_done = 7'000;
  job.at_end = EndState::kFailed;
  // A job that ended keeps all that it did not roll back; it is held against the horizon.
  job.useful = {84'000 * kSecond, 7'000, 10'752'000 * kSecond, 259'200 * kSecond};
  job.attempts = 2;
  job.checkpoints_committed = 46;
  job.ettr = 0.84;
  in_bucket(job, Bucket::kProductive) = 84'000 * kSecond;
  in_bucket(job, Bucket::kRolledBack) = 6'000 * kSecond;
  in_bucket(job, Bucket::kUndetected) = 3'000 * kSecond;
  in_bucket(job, Bucket::kDeciding) = 1;
  in_bucket(job, Bucket::kWaitingForCapacity) = 5'000 * kSecond;
  in_bucket(job, Bucket::kLaunching) = 2'000 * kSecond - 1;
  job.lost_steps = 500;
  job.lost_us = 6'000 * kSecond;
  job.lost_accelerator_us = 768'000 * kSecond;
  job.stranded_steps = 7'000;
  job.stranded_accelerator_us = 10'752'000 * kSecond;
  job.recoveries = {{"spot-1",
                     "preemption of node gpu-3",
                     {"ray_train.failure.retry"},
                     18'000 * kSecond,
                     18'200 * kSecond,
                     19'000 * kSecond,
                     1'000 * kSecond,
                     2'200 * kSecond},
                    {"crash#17",
                     "node_crash faulty GPU gpu-11",
                     {"ray_train.failure.raise", "ray_train.controller.shut_down"},
                     58'000 * kSecond,
                     std::nullopt,
                     std::nullopt,
                     5'000 * kSecond,
                     8'000 * kSecond}};
  job.budgets.emplace_back(
      "max_failures",
      BudgetSummary{2,
                    1,
                    true,
                    {{18'000 * kSecond, "spot-1", "preemption of node gpu-3", "node", "RESTARTING",
                      "ray_train.failure.retry", 1, false},
                     {28'000 * kSecond, "spot-2", "preemption of node gpu-4", "preemption",
                      "RESTARTING", "ray_train.failure.free", 1, true},
                     {58'000 * kSecond, "crash#17", "node_crash faulty GPU gpu-11", "node",
                      "ERRORED", "ray_train.failure.raise", 2, false}}});
  job.budgets.emplace_back("controller_failure_limit", BudgetSummary{});
  return job;
}

inline RunSummary failed_run() {
  RunSummary run;
  run.scenario = "sample";
  run.policy = "ray_train@2026-05";
  run.seed = 1;
  run.hash = 0x0123456789ABCDEF;
  run.simulated_us = 259'200 * kSecond;
  run.events = 12'345;
  run.verdict = Verdict::kFailed;
  run.verdict_reason = "1 of 2 expectations was not met";
  run.jobs.push_back(failed_job());
  run.expect = {{"/jobs/0/outcome", false, "is \"completed\"", "failed"},
                {"/jobs/0/attempts", true, "max 3", 2}};
  run.invariants_checked = 1'234;
  run.warnings = {"jobs[0].checkpoint.keep: 1 leaves nothing to fall back on"};
  run.faults["preemption"] = {2, 2, 0, 2};
  run.faults["node_crash"] = {2, 1, 1, 1};
  run.idle_spares_us = 36'000'000'000;
  run.cost = 1234.5;
  return run;
}

}  // namespace aftershock::reports::testing
