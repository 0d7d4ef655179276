#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "policies/nvrx/config.h"
#include "policies/nvrx/rules.h"
#include "policies/parts/pod_group.h"

namespace aftershock::policies::nvrx {

/// ft_launcher on every node, and inside each process the wrapper where there is one
/// (modelarts.md 8.2). A cycle lasts from one rendezvous of launchers to the next; within it the
/// wrapper may call the function several times, an attempt each.
class Launcher final : public PodGroup {
 public:
  explicit Launcher(const Config& config);

  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  void settle(Turn& turn) override;
  void lost_on_the_way(Turn& turn) override;
  void look(Watch& watch) const override;
  void look_at_processes(Watch& watch) const override;
  [[nodiscard]] nlohmann::json memory() const override;
  void remember(const nlohmann::json& memory) override;
  void came_up() override;
  [[nodiscard]] std::optional<DurationUs> placement_wait_us() const override {
    return excluded_ ? 0 : config_.join_timeout_us;
  }

  void launchers_end(Turn& turn);
  void wait_in_barrier(Turn& turn);
  void wait_in_vain(Turn& turn, Index at, const RankSet& through);
  void note_health(Turn& turn);
  void start_failed(Turn& turn);
  void node_lost(Turn& turn);
  void workers_failed(Turn& turn);
  void hangs(Turn& turn);
  /// False where the wrapper has called the function as often as it may.
  bool restart_within(Turn& turn, Index at, RuleId rule, DurationUs grace_us, ChargeCause cause);
  void restart_all(Turn& turn, Index at, ChargeCause cause, const RankSet& failed);
  void exhausted(Turn& turn, Index at, ChargeCause cause, const RankSet& failed);
  void reach_again(Turn& turn);
  [[nodiscard]] RankSet on_nodes_of(const RankSet& ranks) const;
  [[nodiscard]] bool holds_store(const RankSet& ranks) const;
  bool take_stock(Turn& turn, Index at, ChargeCause cause);
  [[nodiscard]] bool store_lost() const;
  [[nodiscard]] std::optional<std::int64_t> limit_of(Budget budget) const;
  [[nodiscard]] BudgetMove move_of(Budget budget, std::int64_t used, ChargeCause cause) const;

  Config config_;
  std::int64_t restarts_ = 0;
  std::int64_t no_progress_ = 0;            // cycles in a row
  std::int64_t iteration_ = 0;              // of the function in these processes
  bool progressed_ = false;                 // in this cycle
  bool saved_ = false;                      // a checkpoint in this job's life
  std::optional<ChargeCause> lost_by_;      // the cause of a node that went in this cycle
  RankSet exited_;                          // of launchers that have exited, as no restart was left
  std::optional<TimeUs> store_goes_us_;     // with its host, which has exited
  std::optional<TimeUs> barrier_until_us_;  // that others without a launcher are waited for
  std::optional<TimeUs> store_missed_us_;   // the first look after its host has ended
  bool excluded_ = false;                   // a node in this restart
  std::optional<TimeUs> kill_us_;           // when processes that do not let go are killed
  RankSet unhealthy_;
  std::vector<NodeId> unhealthy_nodes_;
  std::optional<TimeUs> check_us_;  // when the health check sees it
};

}  // namespace aftershock::policies::nvrx
