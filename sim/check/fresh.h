#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reports/check/report.h"
#include "sim/check/check_plan.h"
#include "sim/sweep/dispatch.h"
#include "sim/sweep/worker_pool.h"

namespace aftershock::sim::check {

/// How a check on new seeds is made.
struct FreshOptions {
  std::uint64_t first_seed = 1;
  std::uint32_t runs = 32;  ///< of each scenario, at least 2
  std::string against;      ///< the other build
  std::uint32_t workers = 1;
  std::int64_t timeout_s = 600;        ///< that the other build may take for a scenario
  std::vector<std::string> options{};  ///< of its command, beside what the scenario's text says
};

/// The plan of this build's part, for the pool that makes it.
sweep::Plan fresh_plan(const CheckPlan& plan, const FreshOptions& options);

/// The outcome of the check of a fresh seed.
struct FreshResult {
  sweep::Ended ended = sweep::Ended::kDone;
  std::string why;  ///< no workers
  std::vector<reports::FreshRuns> runs;
};

/// Runs every scenario on new seeds by `pool`, made for `fresh`, and, when that is gone, by the
/// other build.
FreshResult run_fresh(const CheckPlan& plan, const sweep::Plan& fresh,
                      std::unique_ptr<sweep::WorkerPool> pool, const FreshOptions& options,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress);

/// Judges pairs, the nth of `now` with the nth of `old`: a metric is worse where the interval of
/// its mean paired difference lies beyond the margin. As in reports::judge the first rank in which
/// one is better or worse decides.
void judge_fresh(reports::FreshRuns& runs, std::span<const reports::RunRow> old,
                 std::span<const reports::RunRow> now, const reports::Margins& margins,
                 double level);
/// Metrics in which some pair differs: as many questions are asked at once, and each is answered at
/// a level that keeps one wrong answer among all of them as rare as 1 in 20 (Bonferroni).
std::uint32_t questions_in(std::span<const reports::RunRow> old,
                           std::span<const reports::RunRow> now, const reports::Margins& margins);

}  // namespace aftershock::sim::check
