#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "policies/api/policy.h"
#include "policies/mindcluster/chips.h"
#include "policies/mindcluster/config.h"
#include "policies/mindcluster/rules.h"
#include "policies/parts/pod_gang.h"

namespace aftershock::policies::mindcluster {

/// A node that was separated, and until when it is.
struct Separated {
  NodeId node = 0;
  TimeUs since_us = 0;                            ///< its last fault
  std::optional<DurationUs> released_after_us{};  ///< none: at its repair, or by hand
  static constexpr auto fields(auto list) {
    return list(field("node", &Separated::node), field("since_us", &Separated::since_us),
                field("released_after_us", &Separated::released_after_us));
  }
};

/// The controller's memory of a job beyond the moment.
struct Memory {
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  std::int64_t retries = 0;        ///< of fault-retry-times
  std::int64_t reschedulings = 0;  ///< of backoffLimit
  Histories chips{};
  std::vector<Separated> separated{};
  static constexpr auto fields(auto list) {
    return list(field("epoch", &Memory::epoch), field("workers", &Memory::workers),
                field("retries", &Memory::retries), field("reschedulings", &Memory::reschedulings),
                field("chips", &Memory::chips), field("separated", &Memory::separated));
  }
};

/// MindCluster's rescheduling of one job: the levels of chip faults, and the ladder from a step
/// that is computed again to a job that is made anew (modelarts.md 6).
class MindCluster final : public Policy {
 public:
  explicit MindCluster(Config config);

  [[nodiscard]] const PolicyInfo& info() const override { return policy_info(); }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  using Index = std::uint16_t;

  /// The plan for the time when the pods are as it needs them.
  enum class Plan : std::uint8_t { kNone, kPods, kJob };

  /// A fault that lasts until a higher level comes of it.
  struct Lasting {
    DeviceFault fault;
    TimeUs due_us = 0;
    HandlingLevel level = HandlingLevel::kPreSeparateNpu;
  };

  /// One batch in work: what its events ask for.
  struct Turn {
    const Batch& batch;
    Decision decision{};
    std::vector<Index> not_current{};
    RankSet faulty{};                 ///< ranks to be recovered
    std::vector<Separated> nodes{};   ///< at fault, separated unless recovered in place
    std::vector<NodeId> separated{};  ///< already asked for
    std::optional<Index> hardware{};
    std::optional<Index> exit{};
    std::optional<Index> failed_step{};
    std::optional<Index> restored{};
    std::optional<Index> runs_on{};
    bool retryable = true;  ///< all faults are
    bool in_place = true;   ///< likewise
    bool exchange = false;  ///< pods alone, even where pods are not rescheduled otherwise
    bool force = false;
    ChargeCause cause = ChargeCause::kDevice;
  };

  // controller.cpp: events.
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersFailed& failed);
  void on(Turn& turn, Index at, const WorkersFinished& finished);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const DeviceFault& fault);
  void on(Turn& turn, Index at, const NodeUnreachable& lost);
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const Timer& timer);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  template <class Other>
  void on(Turn&, Index, const Other&) {}
  [[nodiscard]] Watch watch() const;
  void take_up(Turn& turn);

  // levels.cpp: what a fault of a chip asks for.
  void handle(Turn& turn, Index at, const DeviceFault& fault, const Judgement& judgement);
  void separate(Turn& turn, RuleId rule, Index at, const Separated& node);
  void release(Turn& turn, Index at);

  // ladder.cpp: what is done.
  Step& add_step(Turn& turn, RuleId rule, State to, Index at);
  void settle(Turn& turn);
  [[nodiscard]] bool has(Recover step) const;
  bool recover_processes(Turn& turn, Index at, bool software);
  void reschedule(Turn& turn, Index at, bool software);
  bool pay(Turn& turn, Index at, bool software);
  void advance(Turn& turn, Index at);
  void fail(Turn& turn, Index at, RuleId rule);

  Config config_;
  Memory memory_;
  PodGang gang_;
  State state_ = State::kPending;
  Plan plan_ = Plan::kNone;
  RankSet anew_;
  bool force_ = false;
  std::optional<TimeUs> patience_us_;  ///< when a recovery of processes has taken too long
  std::vector<Lasting> lasting_;
};

}  // namespace aftershock::policies::mindcluster
