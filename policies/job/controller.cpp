#include "policies/job/controller.h"

#include <limits>
#include <string>
#include <utility>

namespace aftershock::policies::job {
namespace {

// The greatest number is how the API writes that there is no limit.
std::optional<std::int64_t> backoff_limit(const Spec& spec) {
  return spec.backoff_limit == std::numeric_limits<std::int32_t>::max()
             ? std::nullopt
             : std::optional(spec.backoff_limit);
}

RuleId rule_for(std::string_view reason) {
  return reason == "PodFailurePolicy"           ? RuleId::kFailJob
         : reason == "BackoffLimitExceeded"     ? RuleId::kBackoffLimit
         : reason == "MaxFailedIndexesExceeded" ? RuleId::kMaxFailedIndexes
         : reason == "FailedIndexes"            ? RuleId::kFailedIndexes
                                                : RuleId::kDeadline;
}

}  // namespace

Job::Job(Spec spec)
    : PodController({{.spec = spec, .object = "default/job", .pods = spec.completions.value_or(0)}},
                    {}) {}

std::unique_ptr<Policy> Job::clone() const { return std::make_unique<Job>(*this); }

std::vector<BudgetState> Job::budgets() const {
  const Spec& spec = children().front().spec;
  const Status status = memory_.jobs.empty() ? Status{} : memory_.jobs.front().status;
  return {{status.failed, backoff_limit(spec)},
          {static_cast<std::int64_t>(status.failed_indexes.size()), spec.max_failed_indexes}};
}

void Job::charge(Step& step, const Child& child, ChargeCause cause, std::int64_t used,
                 bool ignored) const {
  const auto limit = ignored ? std::nullopt : backoff_limit(child.spec);
  step.budgets.push_back({.budget = static_cast<std::uint16_t>(Budget::kBackoffLimit),
                          .cause = cause,
                          .used = used,
                          .limit = limit,
                          .exempt = ignored,
                          .exhausted = limit && used > *limit});
}

void Job::charge_indexes(Step& step, const Child& child, ChargeCause cause,
                         std::int64_t used) const {
  const auto& limit = child.spec.max_failed_indexes;
  step.budgets.push_back({.budget = static_cast<std::uint16_t>(Budget::kMaxFailedIndexes),
                          .cause = cause,
                          .used = used,
                          .limit = limit,
                          .exhausted = limit && used > *limit});
}

void Job::children_failed(Turn& turn) {
  const ChildFailure& failure = turn.failed.front();
  const RuleId rule = rule_for(failure.reason);
  const std::string id(info().rules[static_cast<std::size_t>(rule)].id);
  Step& step = end_step(turn, static_cast<std::uint16_t>(rule), State::kFailed, failure.at);
  fail(step, rule == RuleId::kBackoffLimit       ? "exhausted(backoffLimit)"
             : rule == RuleId::kMaxFailedIndexes ? "exhausted(maxFailedIndexes)"
                                                 : "gave_up(" + id + ')');
}

}  // namespace aftershock::policies::job
