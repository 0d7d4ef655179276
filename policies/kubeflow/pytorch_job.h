#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "policies/kubeflow/config.h"
#include "policies/kubeflow/restart_counts.h"
#include "policies/kubeflow/rules.h"
#include "policies/parts/agent_restarts.h"
#include "policies/parts/kubelet_backoff.h"
#include "policies/parts/pod_group.h"

namespace aftershock::policies::kubeflow {

/// One PyTorchJob under the training operator V1 (modelarts.md 8.3). Pods are restarted one by one;
/// the others hang in their collectives until these give up, and only then all train again.
class PytorchJob final : public PodGroup {
 public:
  explicit PytorchJob(const Config& config);

  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  void settle(Turn& turn) override;
  void look(Watch& watch) const override;
  [[nodiscard]] nlohmann::json memory() const override;
  void remember(const nlohmann::json& memory) override;
  void came_up() override;
  void lost_on_the_way(Turn& turn) override;
  [[nodiscard]] bool tolerates() const override { return !tolerated_.empty() && !sizes_; }
  [[nodiscard]] bool holds() const override { return tolerates() || ended_us_.has_value(); }
  [[nodiscard]] std::optional<DurationUs> placement_wait_us() const override;

  void node_lost(Turn& turn);
  void evict(Turn& turn, Index at, const RankSet& ranks);
  void tolerate(Turn& turn, Index at, const RankSet& ranks);
  void tolerate_no_more(const RankSet& ranks);
  void toleration_over(Turn& turn, Index at);
  void node_back(Turn& turn, Index at);
  void ended_when_back(Turn& turn, Index at);
  void pods_failed(Turn& turn, Index at, const RankSet& ranks, std::int32_t code,
                   ChargeCause cause);
  void end_pods(Turn& turn, Index at, const RankSet& ranks, const RankSet& pods,
                std::int32_t exit_code, ChargeCause cause);
  void judge(Turn& turn, Index at, RestartPolicy policy, std::int32_t exit_code, ChargeCause cause);
  void restart_containers(Turn& turn, Index at, const RankSet& pods, ChargeCause cause);
  void note_restarts(const RankSet& pods, TimeUs now_us);
  void past_the_limit(Turn& turn, Index at, ChargeCause cause);
  void forget(const RankSet& pods);
  bool restart_in_pods(Turn& turn, Index at, const RankSet& ranks, ChargeCause cause);
  void all_down(Turn& turn, Index at);

  // on_the_way.cpp
  void start_failed(Turn& turn, Index at);
  void settle_on_the_way(Turn& turn);
  void evict_on_the_way(Turn& turn, Index at, const RankSet& ranks);
  void make_evicted_anew(Turn& turn, Index at);
  void back_on_the_way(Turn& turn);

  [[nodiscard]] std::optional<std::int64_t> limit() const;
  [[nodiscard]] BudgetMove exempt(ChargeCause cause) const;

  /// Pods that stay bound to a lost node, until they are evicted.
  struct Tolerated {
    RankSet ranks;
    TimeUs due_us = 0;
  };
  /// A container that ended, and when its kubelet starts it again.
  struct Restart {
    std::size_t pod = 0;
    TimeUs at_us = 0;
  };
  [[nodiscard]] std::optional<TimeUs> limit_reached_us() const;

  Config config_;
  RestartCounts restarts_;
  std::vector<Restart> unpaid_;     // of this attempt, which goes on when all pods are down
  std::optional<TimeUs> limit_us_;  // when these reach backoffLimit
  ChargeCause cause_ = ChargeCause::kApplication;
  AgentRestarts agents_;
  KubeletBackoff kubelets_;
  std::optional<TimeUs> ended_us_;    // the last of the pods, where all of them have ended and wait
  TimeUs restart_us_ = 0;             // when the last of their containers starts again
  RankSet down_;                      // pods that have ended, of the attempt
  RankSet evicted_;                   // on the way: they wait for others that are lost
  bool recreates_ = false;            // some of them were deleted, and are made anew
  bool broken_ = false;               // the start failed with its lost node
  std::vector<Tolerated> tolerated_;  // by due_us
  RankSet deleted_;  // pods of lost nodes that are evicted, and whose objects are still there
  std::optional<TimeUs> deadline_us_;
};

}  // namespace aftershock::policies::kubeflow
