#include "sim/workload/controller.h"

namespace aftershock::sim::workload {

ChargeRecord& add_charge(Controller& control, std::int64_t t_us, const policies::Step& step,
                         const policies::BudgetMove& move, std::int32_t fault) {
  return control.charges.emplace_back(ChargeRecord{.t_us = t_us,
                                                   .fault = fault,
                                                   .false_alarm = false,
                                                   .rule = step.rule,
                                                   .to_state = step.to_state,
                                                   .decision = step.decision,
                                                   .move = move});
}

}  // namespace aftershock::sim::workload
