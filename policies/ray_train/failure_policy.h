#pragma once

#include <cstdint>
#include <optional>

#include "policies/parts/retry_budget.h"

namespace aftershock::policies::ray_train {

/// The class of a failure in the failure policy: the outer type of the error decides, never its
/// cause.
enum class ErrorClass : std::uint8_t {
  kWorkerGroup,          ///< workers of a running group failed; however many, one failure
  kRetryableController,  ///< the worker group did not start: start-up failed or timed out
  kPreemption,           ///< workers were lost to a preemption (2026-09)
  kOtherController,      ///< anything else that the controller met; a hung collective (2026-09)
};

/// Ray's FailureDecision.
enum class Verdict : std::uint8_t { kRetry, kRaise };

/// Order of the budgets in the policy's info; a version that lacks one lacks all after it.
enum class Budget : std::uint16_t {
  kMaxFailures,
  kControllerFailureLimit,
  kMaxPreemptionFailures,
};

/// One answer of the failure policy. Without a budget no counter was touched.
struct Ruling {
  Verdict verdict = Verdict::kRaise;
  std::optional<Budget> budget;
  std::int64_t used = 0;
  std::optional<std::int64_t> limit;
};

/// Counters of one controller's lifetime. There is no backoff, no window and no reset on progress,
/// and a new controller starts at zero.
struct FailureCounters {
  RetryBudget worker_group;
  RetryBudget controller;
  RetryBudget preemption{RetryBudget::kUnlimited, 0};
};

/// Ray Train V2, failure_handling/default.py: of all versions, since they differ in what they ask.
Ruling rule_on(FailureCounters& counters, ErrorClass error);

}  // namespace aftershock::policies::ray_train
