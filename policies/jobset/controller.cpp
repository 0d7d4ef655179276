#include "policies/jobset/controller.h"

#include <algorithm>
#include <string>
#include <utility>

#include "policies/jobset/message_patterns.h"

namespace aftershock::policies::jobset {
namespace {

using job::ChildFailure;
using job::State;

bool lists(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool matches(const Rule& rule, const ChildFailure& failure, const job::Child& child) {
  const auto says = [&failure](const std::string& pattern) {
    return pattern_matches(pattern, failure.message);
  };
  return lists(rule.reasons, failure.reason) && lists(rule.targets, child.name) &&
         (rule.patterns.empty() || std::ranges::any_of(rule.patterns, says));
}

std::uint16_t number(RuleId rule) { return static_cast<std::uint16_t>(rule); }

}  // namespace

JobSet::JobSet(Config config)
    : PodController(config.children,
                    {.waits_for_all = config.failure_policy && config.failure_policy->strategy ==
                                                                   Strategy::kBlockingRecreate,
                     .in_place = config.failure_policy &&
                                 config.failure_policy->strategy == Strategy::kInPlaceRestart}),
      config_(std::move(config)) {}

std::unique_ptr<Policy> JobSet::clone() const { return std::make_unique<JobSet>(*this); }

std::vector<BudgetState> JobSet::budgets() const {
  const FailurePolicy policy = config_.failure_policy.value_or(FailurePolicy{});
  return {{counted(), policy.max_restarts}};
}

// All of one batch failed in one moment, and come in the order of the Jobs.
void JobSet::children_failed(Turn& turn) {
  if (!config_.failure_policy) {
    end(turn, RuleId::kNoFailurePolicy, turn.failed.front().at);
    return;
  }
  for (const Rule& rule : config_.failure_policy->rules) {
    const auto failure = std::ranges::find_if(turn.failed, [&](const ChildFailure& one) {
      return matches(rule, one, children()[one.child]);
    });
    if (failure != turn.failed.end()) {
      add_step(turn, number(RuleId::kRuleMatched), failure->at);
      act(turn, rule.action, *failure);
      return;
    }
  }
  add_step(turn, number(RuleId::kNoRuleMatched), turn.failed.front().at);
  act(turn, Action::kRestartJobSet, turn.failed.front());
}

BudgetMove JobSet::move(ChargeCause cause) const {
  return {.budget = 0,
          .cause = cause,
          .used = counted(),
          .limit = config_.failure_policy->max_restarts};
}

// The set says the costs when the Job is Failed.
void JobSet::overran(Step& step) const {
  step.budgets.push_back(
      {.budget = 0, .cause = ChargeCause::kApplication, .used = counted(), .exempt = true});
}

void JobSet::act(Turn& turn, Action action, const ChildFailure& failure) {
  if (action == Action::kFailJobSet) {
    end(turn, RuleId::kFailJobSet, failure.at);
    return;
  }
  const bool one =
      action == Action::kRestartJob || action == Action::kRestartJobAndIgnoreMaxRestarts;
  const bool counts = action == Action::kRestartJobSet || action == Action::kRestartJob;
  if (counts && memory_.restarts >= config_.failure_policy->max_restarts) {
    end(turn, RuleId::kMaxRestarts, failure.at);
    return;
  }
  memory_.restarts += counts ? 1 : 0;
  const RuleId rule = one ? (counts ? RuleId::kRestartJob : RuleId::kRestartJobIgnored)
                          : (counts ? RuleId::kRestartJobSet : RuleId::kRestartJobSetIgnored);
  BudgetMove paid = move(failure.cause);
  paid.exempt = !counts;
  if (!counts) {
    paid.limit.reset();
  }
  add_step(turn, number(rule), failure.at).budgets.push_back(paid);
  if (one) {
    restart_one(failure.child, turn.batch.t_us);
  } else {
    restart_all(turn.batch.t_us);
  }
}

// The attempt that the agents in the pods write is one more, and is held to maxRestarts
// (exceededMaxRestarts, in_place_restart.go:150); restarts of the whole set that count are in it.
bool JobSet::restarts_in_place(Turn& turn, Index at, ChargeCause cause) {
  if (counted() >= config_.failure_policy->max_restarts) {
    end(turn, RuleId::kMaxRestarts, at);
    return false;
  }
  ++memory_.in_place;
  add_step(turn, number(RuleId::kInPlaceRestart), at).budgets.push_back(move(cause));
  return true;
}

// The restart that maxRestarts refuses does not count, so that they are not exceeded.
void JobSet::end(Turn& turn, RuleId rule, Index at) {
  const std::string id(info().rules[static_cast<std::size_t>(rule)].id);
  fail(end_step(turn, number(rule), State::kFailed, at), "gave_up(" + id + ')');
}

}  // namespace aftershock::policies::jobset
