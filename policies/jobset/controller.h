#pragma once

#include <memory>
#include <vector>

#include "policies/job/pod_controller.h"
#include "policies/jobset/config.h"
#include "policies/jobset/rules.h"

namespace aftershock::policies::jobset {

/// One JobSet, whose Jobs train together (modelarts.md 8.3).
class JobSet final : public job::PodController {
 public:
  explicit JobSet(Config config);

  [[nodiscard]] const PolicyInfo& info() const override { return policy_info(); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  void children_failed(Turn& turn) override;
  void charge(Step& /*step*/, const job::Child& /*child*/, ChargeCause /*cause*/,
              std::int64_t /*used*/, bool /*ignored*/) const override {}
  void charge_indexes(Step& /*step*/, const job::Child& /*child*/, ChargeCause /*cause*/,
                      std::int64_t /*used*/) const override {}
  void overran(Step& step) const override;
  bool restarts_in_place(Turn& turn, Index at, ChargeCause cause) override;

  void act(Turn& turn, Action action, const job::ChildFailure& failure);
  void end(Turn& turn, RuleId rule, Index at);
  [[nodiscard]] BudgetMove move(ChargeCause cause) const;
  [[nodiscard]] std::int64_t counted() const { return memory_.restarts + memory_.in_place; }

  Config config_;
};

}  // namespace aftershock::policies::jobset
