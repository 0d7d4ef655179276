#pragma once

#include <memory>
#include <vector>

#include "policies/job/pod_controller.h"
#include "policies/job/rules.h"

namespace aftershock::policies::job {

/// One Kubernetes Job whose pods train together (modelarts.md 8.3).
class Job final : public PodController {
 public:
  explicit Job(Spec spec);

  [[nodiscard]] const PolicyInfo& info() const override { return policy_info(); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  void children_failed(Turn& turn) override;
  void charge(Step& step, const Child& child, ChargeCause cause, std::int64_t used,
              bool ignored) const override;
  void charge_indexes(Step& step, const Child& child, ChargeCause cause,
                      std::int64_t used) const override;
};

}  // namespace aftershock::policies::job
