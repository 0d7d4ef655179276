#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "policies/parts/agent_restarts.h"
#include "policies/parts/pod_group.h"
#include "policies/torchrun/config.h"
#include "policies/torchrun/rules.h"

namespace aftershock::policies::torchrun {

/// The agents of one torchrun, which act together: torch/distributed/elastic/agent/server/api.py
/// and rendezvous/dynamic_rendezvous.py (modelarts.md 8.1). Nobody leads them.
class Torchrun final : public PodGroup {
 public:
  explicit Torchrun(const Config& config);

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
    return config_.join_timeout_us;
  }

  bool met(Turn& turn, Index at) override;
  void draw_restart(Turn& turn, Index at);
  void draw_join();
  [[nodiscard]] GroupSizes sizes_from(std::uint32_t least_nodes) const;
  [[nodiscard]] bool holds_store(const RankSet& ranks) const;
  [[nodiscard]] bool store_lost() const { return holds_store(gone()); }
  void agents_end(Turn& turn);
  void drop(Turn& turn, Index at);
  void note_through(const Turn& turn);
  [[nodiscard]] std::uint32_t nodes_through() const;
  void barrier_over(Turn& turn);
  void reach_again(Turn& turn);
  void back_from_cut(Turn& turn);
  void workers_failed(Turn& turn, Index at, const RankSet& ranks, ChargeCause cause);
  [[nodiscard]] bool charged(Turn& turn, Index at, const RankSet& ranks, ChargeCause cause);
  [[nodiscard]] RankSet of_agents(const RankSet& ranks) const;
  [[nodiscard]] TimeUs next_sight_us(TimeUs now_us) const;
  void meet_again(Turn& turn);
  void start_failed(Turn& turn);
  void see_failed_start(Turn& turn);
  [[nodiscard]] bool starts_in_vain() const {
    return failed_start_ && failed_start_->epoch == epoch_ && starting();
  }
  void node_joined(Turn& turn);
  void restart(Turn& turn, Index at);

  /// Workers that have failed before all ran, and that their agent has yet to see.
  struct FailedStart {
    Epoch epoch = 0;
    RankSet ranks{};
    TimeUs seen_us = 0;
  };

  Config config_;
  std::optional<GroupSizes> sizes_asked_;  // none: the size does not change
  AgentRestarts restarts_;
  RankSet dropped_;          // of this round, with their nodes
  RankSet waiting_;          // of agents that have left for the next round
  bool joins_ = false;       // those that meet have a newcomer, with a shared store
  std::uint32_t fails_ = 0;  // so often new workers do not find each other
  std::uint64_t draws_ = 0;
  std::optional<TimeUs> others_look_us_;  // when all others see that
  std::optional<FailedStart> failed_start_;
  RankSet through_;                         // of agents all of whose workers have returned
  std::optional<TimeUs> barrier_until_us_;  // so long the first of these waits for the others
  bool closed_ = false;                     // it has left, and closed the rendezvous
  std::optional<TimeUs> store_missed_us_;   // the first look after the store's agent has ended
  std::optional<TimeUs> agent_missed_us_;   // its keep-alives have stayed away for too long
};

}  // namespace aftershock::policies::torchrun
