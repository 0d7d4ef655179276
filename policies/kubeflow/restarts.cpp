#include <algorithm>
#include <functional>
#include <vector>

#include "policies/kubeflow/pytorch_job.h"
#include "policies/parts/rank_pods.h"

// Restarts of containers, pods that have failed, and backoffLimit, which counts them.
namespace aftershock::policies::kubeflow {

// Of all restarts there may have been as many more as pods that are gone took with them.
std::optional<std::int64_t> PytorchJob::limit() const {
  const auto allowed = restarts_allowed(config_.backoff_limit);
  if (!allowed) {
    return std::nullopt;
  }
  std::int64_t seen = 0;
  for (const std::uint32_t restarts : restarts_.of_pods) {
    seen += restarts;
  }
  return *allowed + restarts_.total - seen;
}

BudgetMove PytorchJob::exempt(ChargeCause cause) const {
  return {.budget = budget(Budget::kBackoffLimit),
          .cause = cause,
          .used = restarts_.total,
          .limit = limit(),
          .exempt = true};
}

// Each role has a restartPolicy of its own, also that of `ranks` whose pods had ended before.
void PytorchJob::end_pods(Turn& turn, Index at, const RankSet& ranks, const RankSet& pods,
                          std::int32_t exit_code, ChargeCause cause) {
  RankSet restarted;
  std::vector<RestartPolicy> judged;
  const RankSet failed = pods.empty() ? whole_pods(ranks, config_.nproc_per_node, workers_) : pods;
  for (const RankSet::Interval& interval : failed.intervals()) {
    for (std::uint32_t rank = interval.first; rank < interval.end; rank += config_.nproc_per_node) {
      const RestartPolicy policy = restart_policy_of(config_, rank / config_.nproc_per_node);
      if (policy == RestartPolicy::kOnFailure || policy == RestartPolicy::kAlways) {
        restarted.add(rank, std::min(interval.end, rank + config_.nproc_per_node));
      } else if (std::ranges::find(judged, policy) == judged.end()) {
        judged.push_back(policy);
      }
    }
  }
  for (const RestartPolicy policy : judged) {
    if (state() != PodGroupState::kFailed) {
      judge(turn, at, policy, exit_code, cause);
    }
  }
  if (state() != PodGroupState::kFailed && !restarted.empty()) {
    restart_containers(turn, at, pods.empty() ? pods : restarted, cause);
  }
}

// Containers of these pods are not started again: the pods have failed.
void PytorchJob::judge(Turn& turn, Index at, RestartPolicy policy, std::int32_t exit_code,
                       ChargeCause cause) {
  switch (judge_failed_pod(config_.backoff_limit, policy, exit_code)) {
    case FailedPod::kBackoffLimit:
      past_the_limit(turn, at, cause);
      break;
    case FailedPod::kNeverRestarts:
      give_up(turn, at, rule(RuleId::kNever));
      break;
    case FailedPod::kPermanent:
      give_up(turn, at, rule(RuleId::kPermanent));
      break;
    case FailedPod::kMadeAnew:
      recreates_ = true;
      add_step(turn, rule(RuleId::kRetryable), PodGroupState::kRestarting, at)
          .budgets.push_back(exempt(cause));
      break;
  }
}

// Containers are counted as they restart, those of pods that Succeeded no more, and all that
// restart in an attempt as one move.
void PytorchJob::restart_containers(Turn& turn, Index at, const RankSet& pods, ChargeCause cause) {
  note_restarts(pods, turn.batch.t_us);
  const RankSet unfinished =
      whole_pods(everyone().without(finished_), config_.nproc_per_node, workers_);
  forget(everyone().without(unfinished));
  if (limit_us_ && *limit_us_ <= turn.batch.t_us) {
    past_the_limit(turn, at, cause);
  } else {
    add_step(turn, rule(RuleId::kOnFailure), PodGroupState::kRestarting, at);
  }
}

// Of a start that failed without a word about whose it was, the first pod's container restarts.
void PytorchJob::note_restarts(const RankSet& pods, TimeUs now_us) {
  for (const RankSet::Interval& interval : pods.intervals()) {
    for (std::uint32_t rank = interval.first; rank < interval.end; rank += config_.nproc_per_node) {
      const std::size_t pod = rank / config_.nproc_per_node;
      unpaid_.push_back({pod, kubelets_.restart_us(pod, now_us)});
      restart_us_ = std::max(restart_us_, unpaid_.back().at_us);
    }
  }
  if (pods.empty()) {
    unpaid_.push_back({0, now_us});
  }
}

// None where the restarts that are to come do not reach it.
std::optional<TimeUs> PytorchJob::limit_reached_us() const {
  if (!config_.backoff_limit || unpaid_.empty()) {
    return std::nullopt;
  }
  std::vector<SeenPod> pods(
      static_cast<std::size_t>(count_pods(everyone(), config_.nproc_per_node)));
  for (std::size_t pod = 0; pod < pods.size(); ++pod) {
    pods[pod] = {.policy = restart_policy_of(config_, pod),
                 .runs = !finished_.contains(static_cast<Rank>(pod * config_.nproc_per_node)),
                 .restarts = pod < restarts_.of_pods.size() ? restarts_.of_pods[pod] : 0};
  }
  const auto of = [&](const Restart& restart) -> std::uint32_t& {
    return pods[std::min(restart.pod, pods.size() - 1)].restarts;
  };
  for (const Restart& restart : unpaid_) {
    ++of(restart);
  }
  if (!past_backoff_limit(config_.backoff_limit, pods)) {
    return std::nullopt;
  }
  std::vector<Restart> latest_first = unpaid_;
  std::ranges::stable_sort(latest_first, std::ranges::greater(), &Restart::at_us);
  for (const Restart& restart : latest_first) {
    --of(restart);
    if (!past_backoff_limit(config_.backoff_limit, pods)) {
      return restart.at_us;
    }
  }
  return latest_first.back().at_us;
}

// As many restarts as there were by then, or one for a pod that failed without any.
void PytorchJob::past_the_limit(Turn& turn, Index at, ChargeCause cause) {
  const std::int64_t before = restarts_.total;
  for (const Restart& restart : unpaid_) {
    if (restart.at_us <= turn.batch.t_us) {
      restarts_.restarted(restart.pod);
    }
  }
  if (restarts_.total == before) {
    restarts_.restarted(0);
  }
  unpaid_.clear();
  limit_us_.reset();
  fail(turn, at, rule(RuleId::kBackoffLimit), "exhausted(backoffLimit)")
      .budgets.push_back({.budget = budget(Budget::kBackoffLimit),
                          .cause = cause,
                          .used = restarts_.total,
                          .limit = limit(),
                          .exhausted = true});
}

// Pods that are made anew have other objects, and kubelets know them by these.
void PytorchJob::forget(const RankSet& pods) {
  const auto goes = [&](std::size_t pod) {
    return pods.contains(static_cast<Rank>(pod * config_.nproc_per_node));
  };
  std::erase_if(unpaid_, [&](const Restart& restart) { return goes(restart.pod); });
  for (std::size_t pod = 0; pod < restarts_.of_pods.size(); ++pod) {
    restarts_.of_pods[pod] = goes(pod) ? 0 : restarts_.of_pods[pod];
  }
  for (std::size_t pod = 0; pod < kubelets_.pods.size(); ++pod) {
    kubelets_.pods[pod] = goes(pod) ? KubeletBackoff::Pod{} : kubelets_.pods[pod];
  }
  limit_us_ = limit_reached_us();
}

}  // namespace aftershock::policies::kubeflow
