#include "policies/modelarts/config.h"
#include "policies/modelarts/rules.h"

namespace aftershock::policies::modelarts {

PodTerms terms_of(const Config& config) {
  const Readings& readings = config.readings;
  const std::uint32_t hangs = readings.third_hang_ends ? kRunLimit - 1 : kRunLimit;
  return {.restarts = config.job_retry_num.has_value(),
          .unconditional = config.unconditional,
          .limits = {config.job_retry_num, config.pod_retry_num, kRunLimit, hangs},
          .unmount_async_after_us = config.unmount_async_after_us,
          .hang_restart_after_us = config.job_retry_num && config.hang_retry
                                       ? std::optional(config.hang_after_us)
                                       : std::nullopt,
          .severities = config.severities,
          .other_codes_reset = readings.strict_run,
          .third_fault_heals = readings.heal_third_fault,
          .history_per_schedule = readings.history_per_schedule,
          .count_kept = readings.count_kept,
          .user_faults_extended = readings.user_faults_extended,
          .second_fault_joins = readings.second_fault_joins,
          .faulty_nodes_may_stay = readings.no_pod_retry_keeps_node,
          .unhealed_user_may_stay = readings.unhealed_user_kept};
}

}  // namespace aftershock::policies::modelarts
