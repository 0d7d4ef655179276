#include "policies/job/status.h"

#include <algorithm>

namespace aftershock::policies::job {
namespace {

constexpr DurationUs kFirstBackoffUs = 10 * kSecondUs;

bool matches(const PodRule& rule, const PodEnd& end) {
  if (!rule.by_exit_code) {
    return end.disrupted;
  }
  if (!end.exit_code || *end.exit_code == 0) {
    return false;
  }
  const bool listed = std::ranges::find(rule.codes, *end.exit_code) != rule.codes.end();
  return listed != rule.not_in;
}

// The first rule that matches, and where none does the pod counts.
PodAction action_for(const Spec& spec, const PodEnd& end) {
  const auto rule = std::ranges::find_if(
      spec.pod_rules, [&end](const PodRule& known) { return matches(known, end); });
  return rule == spec.pod_rules.end() ? PodAction::kCount : rule->action;
}

IndexFailures& failures_of(Status& status, std::uint32_t index) {
  const auto at = std::ranges::lower_bound(status.by_index, index, {}, &IndexFailures::index);
  if (at != status.by_index.end() && at->index == index) {
    return *at;
  }
  return *status.by_index.insert(at, {.index = index});
}

void count_by_index(const Spec& spec, Status& status, const RankSet& indexes) {
  for (const RankSet::Interval& interval : indexes.intervals()) {
    for (std::uint32_t index = interval.first; index < interval.end; ++index) {
      IndexFailures& of = failures_of(status, index);
      ++of.failures;
      if (of.failures > *spec.backoff_limit_per_index) {
        status.failed_indexes.add(index, index + 1);
      }
    }
  }
}

}  // namespace

std::string_view reason_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFailJob:
      return "PodFailurePolicy";
    case Verdict::kBackoffLimit:
      return "BackoffLimitExceeded";
    case Verdict::kMaxFailedIndexes:
      return "MaxFailedIndexesExceeded";
    case Verdict::kFailedIndexes:
      return "FailedIndexes";
    case Verdict::kCounted:
    case Verdict::kIgnored:
    case Verdict::kIndexFailed:
      break;
  }
  return {};
}

std::string message_of(Verdict verdict, const PodEnd& end) {
  switch (verdict) {
    case Verdict::kFailJob:
      return end.exit_code ? "Container failed with exit code " + std::to_string(*end.exit_code) +
                                 " matching FailJob rule"
                           : "Pod has condition DisruptionTarget matching FailJob rule";
    case Verdict::kBackoffLimit:
      return "Job has reached the specified backoff limit";
    case Verdict::kMaxFailedIndexes:
      return "Job has exceeded the specified maximal number of failed indexes";
    case Verdict::kFailedIndexes:
      return "Job has failed indexes";
    case Verdict::kCounted:
    case Verdict::kIgnored:
    case Verdict::kIndexFailed:
      break;
  }
  return {};
}

Verdict take_failure(const Spec& spec, Status& status, const RankSet& indexes, const PodEnd& end,
                     std::uint32_t pods) {
  const PodAction action = action_for(spec, end);
  const auto many = static_cast<std::int64_t>(indexes.size());
  status.in_a_row += static_cast<std::uint32_t>(many);
  if (action == PodAction::kIgnore) {
    return Verdict::kIgnored;
  }
  status.failed += many;
  if (action == PodAction::kFailJob) {
    return Verdict::kFailJob;
  }
  const std::uint64_t before = status.failed_indexes.size();
  if (action == PodAction::kFailIndex) {
    status.failed_indexes.add(indexes);
  } else if (spec.backoff_limit_per_index) {
    count_by_index(spec, status, indexes);
  }
  const std::uint64_t failed = status.failed_indexes.size();
  if (spec.max_failed_indexes && static_cast<std::int64_t>(failed) > *spec.max_failed_indexes) {
    return Verdict::kMaxFailedIndexes;
  }
  if (status.failed > spec.backoff_limit) {
    return Verdict::kBackoffLimit;
  }
  if (failed > 0 && failed == pods) {
    return Verdict::kFailedIndexes;
  }
  return failed > before ? Verdict::kIndexFailed : Verdict::kCounted;
}

DurationUs backoff_us(const Spec& spec, const Status& status) {
  std::uint32_t failures = status.in_a_row;
  if (spec.backoff_limit_per_index) {
    failures = 0;
    for (const IndexFailures& of : status.by_index) {
      failures = std::max(failures, of.failures);
    }
  }
  if (failures == 0) {
    return 0;
  }
  DurationUs delay_us = kFirstBackoffUs;
  for (std::uint32_t nth = 1; nth < failures && delay_us < kLongestBackoffUs; ++nth) {
    delay_us *= 2;
  }
  return std::min(delay_us, kLongestBackoffUs);
}

}  // namespace aftershock::policies::job
