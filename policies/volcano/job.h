#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "policies/parts/pod_group.h"
#include "policies/volcano/config.h"
#include "policies/volcano/rules.h"

namespace aftershock::policies::volcano {

/// One Volcano job (modelarts.md 8.3). Pods that are not restarted hang in their collectives until
/// these give up, and only then all train again.
class VolcanoJob final : public PodGroup {
 public:
  explicit VolcanoJob(Config config);

  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  /// Something that a policy may answer.
  struct Occurrence {
    Happening event = Happening::kPodFailed;
    std::int32_t exit_code = 0;  ///< 0: none
    RankSet pods{};
    ChargeCause cause = ChargeCause::kApplication;
  };
  /// An action that waits for the timeout of its policy.
  struct Delayed {
    Action action = Action::kSyncJob;
    Occurrence what{};
    TimeUs due_us = 0;
  };

  void settle(Turn& turn) override;
  void lost_on_the_way(Turn& turn) override;
  void look(Watch& watch) const override;
  [[nodiscard]] nlohmann::json memory() const override;
  void remember(const nlohmann::json& memory) override;
  void came_up() override;
  [[nodiscard]] std::optional<DurationUs> placement_wait_us() const override;

  void start_failed(Turn& turn);
  void workers_failed(Turn& turn);
  void node_lost(Turn& turn);
  void preempted(Turn& turn, Index at);
  void evict(Turn& turn, Index at, ChargeCause cause = ChargeCause::kNode);
  void toleration_over(Turn& turn, Index at);
  void node_back(Turn& turn, Index at);
  void task_finished(Turn& turn);

  // job_actions.cpp
  [[nodiscard]] const Answer* answer_to(const Occurrence& what) const;
  [[nodiscard]] Action action_for(const Occurrence& what) const;
  [[nodiscard]] RankSet task_of(const RankSet& pods, const Task*& task) const;
  [[nodiscard]] RankSet target_of(Action action, const RankSet& pods) const;
  void act(Turn& turn, Index at, const Occurrence& what);
  void carry_out(Turn& turn, Index at, Action action, const Occurrence& what);
  void delay(Turn& turn, Index at, const Answer& answer, const Occurrence& what);
  void delays_over(Turn& turn);
  void forget_delays(Action done, const RankSet& pods);
  void sync(Turn& turn, Index at, const Occurrence& what);
  void restart(Turn& turn, Index at, Action action, const Occurrence& what);
  void all_down(Turn& turn, Index at);
  [[nodiscard]] bool ended() const { return state() >= PodGroupState::kCompleted; }

  Config config_;
  std::int64_t retries_ = 0;  // RetryCount
  RankSet down_;              // pods that have ended, of the attempt
  bool restarting_ = false;   // some of them are made anew, and wait for the others
  TimeUs killed_us_ = 0;      // until then the job is Restarting
  std::vector<Delayed> delayed_;
  std::optional<TimeUs> evict_us_;
  RankSet deleted_;  // pods of lost nodes that are evicted, and whose objects are still there
};

}  // namespace aftershock::policies::volcano
