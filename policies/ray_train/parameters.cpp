#include "policies/ray_train/parameters.h"

#include <array>

namespace aftershock::policies::ray_train {
namespace {

constexpr std::array<Setting, 23> kSettings{{
    {kEveryVersion,
     {"max_failures", "integer", "", "0",
      "failures of the worker group that are retried; -1: all of them", ""}},
    {kFrom249,
     {"controller_failure_limit", "integer", "", "-1",
      "failed starts of the worker group that are retried; -1: all of them", ""}},
    {kFrom202609,
     {"max_preemption_failures", "integer", "", "-1",
      "preemptions that are retried; -1: all of them", ""}},
    {kOnly202611,
     {"relax_collectives_on_preemption", "boolean", "", "false",
      "once a notice came, a checkpoint counts without the ranks that it names, unless rank 0 is "
      "among them",
      ""}},
    {kOnly202611,
     {"preemption_grace_s", "number", "s", "0",
      "time beyond a preemption's deadline for which the workers that are left may go on", ""}},
    {kEveryVersion,
     {"num_to_keep", "integer", "", "none",
      "committed checkpoints that are kept; none: all of them", ""}},
    {kEveryVersion,
     {"checkpoint_score_attribute", "string", "", "none",
      "metric by which num_to_keep chooses; none: the most recent are kept", ""}},
    {kEveryVersion,
     {"checkpoint_score_order", "string", "", "max", "whether a larger score is better, or \"min\"",
      ""}},
    {kUntil249,
     {"num_workers", "integer", "", "the job's", "workers of the group, at most the job's own",
      ""}},
    {kFrom255,
     {"num_workers", "integer or [integer, integer]", "", "the job's",
      "workers of the group, at most the job's own; two numbers, least and most, make it elastic",
      ""}},
    {kFrom255,
     {"elastic_resize_monitor_interval_s", "number", "s", "60",
      "time between considerations of another size while an elastic group runs", ""}},
    {kFrom202605,
     {"replica_groups", "boolean", "", "false",
      "the backend declares every worker a group of its own, which can be replaced alone", ""}},
    {kEveryVersion,
     {"health_check_interval_s", "number", "s", "2",
      "time from the end of one poll to the next, and the longest wait for its answers",
      "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S"}},
    {kEveryVersion,
     {"worker_health_check_timeout_s", "number", "s", "600",
      "a worker that leaves a poll unanswered for longer has failed",
      "RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S"}},
    {kUntil249,
     {"worker_group_start_timeout_s", "number", "s", "30",
      "longest wait for the resources of a worker group",
      "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"}},
    {kFrom255,
     {"worker_group_start_timeout_s", "number", "s", "60",
      "longest wait for the resources of a worker group",
      "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"}},
    {kUntil249,
     {"report_barrier_timeout_s", "number", "s", "1800",
      "a worker that waits in report() for the others raises after this",
      "RAY_TRAIN_REPORT_BARRIER_TIMEOUT_S"}},
    {kFrom255,
     {"collective_timeout_s", "number", "s", "none",
      "a worker that waits in report() for the others raises after this; none: it waits on",
      "RAY_TRAIN_COLLECTIVE_TIMEOUT_S"}},
    {kFrom202609,
     {"enable_preemption_watcher", "boolean", "", "true",
      "look for nodes that are to be taken away", "RAY_TRAIN_ENABLE_PREEMPTION_WATCHER"}},
    {kFrom202609,
     {"preemption_poll_interval_s", "number", "s", "5", "time between two such looks",
      "RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S"}},
    {kFrom202609,
     {"nccl_hang_callback", "boolean", "", "false",
      "install the callback that finds a hung collective and fails the workers",
      "RAY_TRAIN_ENABLE_NCCL_HANG_DETECTOR"}},
    {kFrom202609,
     {"nccl_hang_poll_interval_s", "number", "s", "15",
      "time between two looks of that callback at the collectives",
      "RAY_TRAIN_NCCL_RAS_MIN_POLL_INTERVAL_S"}},
    {kFrom202609,
     {"nccl_hang_confirm_s", "number", "s", "600",
      "a collective that stands still for so long after the callback first saw it has hung",
      "RAY_TRAIN_NCCL_RAS_CONFIRM_DURATION_S"}},
}};

}  // namespace

std::span<const Setting> settings() { return kSettings; }

std::vector<Versions> versions_with(std::string_view name) {
  std::vector<Versions> found;
  for (const Setting& setting : kSettings) {
    if (setting.parameter.name == name) {
      found.push_back(setting.versions);
    }
  }
  return found;
}

std::vector<Parameter> parameters(const Profile& profile) {
  std::vector<Parameter> listed;
  for (const Setting& setting : kSettings) {
    if (setting.versions.contains(profile.version)) {
      listed.push_back(setting.parameter);
    }
  }
  return listed;
}

}  // namespace aftershock::policies::ray_train
