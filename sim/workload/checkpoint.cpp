#include "sim/workload/checkpoint.h"

namespace aftershock::sim {

std::optional<std::int64_t> next_checkpoint_work_us(const JobSpec& job, std::int64_t anchor_us) {
  if (!job.checkpoint || !job.script.saves) {
    return std::nullopt;
  }
  const std::int64_t step_us = job.step_us;
  if (job.checkpoint->every_steps) {
    return (anchor_us / step_us + *job.checkpoint->every_steps) * step_us;
  }
  const std::int64_t due_us = anchor_us + *job.checkpoint->every_us;
  return (due_us + step_us - 1) / step_us * step_us;
}

std::optional<std::int64_t> total_work_us(const JobSpec& job) {
  if (!job.steps) {
    return std::nullopt;
  }
  return *job.steps * job.step_us;
}

}  // namespace aftershock::sim
