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

// The first rule that matches, and where none does the pod counts (pod_failure_policy.go:35).
Answer answer_to(const Spec& spec, const PodEnd& end) {
  const auto rule = std::ranges::find_if(
      spec.pod_rules, [&end](const PodRule& known) { return matches(known, end); });
  if (rule == spec.pod_rules.end()) {
    return {};
  }
  return {rule->action, static_cast<std::size_t>(rule - spec.pod_rules.begin())};
}

IndexFailures& failures_of(Status& status, std::uint32_t index) {
  const auto at = std::ranges::lower_bound(status.by_index, index, {}, &IndexFailures::index);
  if (at != status.by_index.end() && at->index == index) {
    return *at;
  }
  return *status.by_index.insert(at, {.index = index});
}

void count_by_index(const Spec& spec, Status& status, const RankSet& indexes, bool counts,
                    TimeUs at_us) {
  for (const RankSet::Interval& interval : indexes.intervals()) {
    for (std::uint32_t index = interval.first; index < interval.end; ++index) {
      IndexFailures& of = failures_of(status, index);
      ++(counts ? of.failures : of.ignored);
      of.failed_us = at_us;
      if (of.failures > *spec.backoff_limit_per_index) {
        status.failed_indexes.add(index, index + 1);
      }
    }
  }
}

}  // namespace

Answer take_failure(const Spec& spec, Status& status, const RankSet& indexes, const PodEnd& end,
                    TimeUs at_us) {
  const Answer answer = answer_to(spec, end);
  const bool counts = answer.action != PodAction::kIgnore;
  if (answer.action == PodAction::kFailIndex) {
    status.failed_indexes.add(indexes);
  } else if (spec.backoff_limit_per_index) {
    count_by_index(spec, status, indexes, counts, at_us);
  }
  return answer;
}

std::string fail_message(const Spec& spec, const Answer& answer, const PodEnd& end,
                         std::string_view pod) {
  const std::string rule = " matching FailJob rule at index " + std::to_string(answer.rule);
  return spec.pod_rules[answer.rule].by_exit_code
             ? "Container " + spec.container + " for pod " + std::string(pod) +
                   " failed with exit code " + std::to_string(end.exit_code.value_or(0)) + rule
             : "Pod " + std::string(pod) + " has condition DisruptionTarget" + rule;
}

// In the order in which the controller asks (job_controller.go:1085).
Failure failure_of(const Spec& spec, const Status& status, const Sight& sight) {
  if (sight.failed > spec.backoff_limit) {
    return {"BackoffLimitExceeded", "Job has reached the specified backoff limit"};
  }
  if (sight.past_deadline) {
    return {kDeadlineExceeded, "Job was active longer than specified deadline"};
  }
  const std::uint64_t failed = status.failed_indexes.size();
  if (spec.max_failed_indexes && static_cast<std::int64_t>(failed) > *spec.max_failed_indexes) {
    return {"MaxFailedIndexesExceeded",
            "Job has exceeded the specified maximal number of failed indexes"};
  }
  if (failed > 0 && failed + sight.succeeded >= sight.pods) {
    return {"FailedIndexes", "Job has failed indexes"};
  }
  return {};
}

DurationUs backoff_us(std::uint32_t failures) {
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
