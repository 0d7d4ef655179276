#include "sim/workload/job.h"

#include <algorithm>

namespace aftershock::sim {

namespace {

template <typename AnyJob>
auto newest_with(AnyJob& job, std::uint32_t id) -> decltype(job.checkpoints.data()) {
  const auto found = std::find_if(job.checkpoints.rbegin(), job.checkpoints.rend(),
                                  [id](const Checkpoint& one) { return one.id == id; });
  return found == job.checkpoints.rend() ? nullptr : &*found;
}

}  // namespace

bool has_processes(const Job& job) {
  switch (job.stage) {
    case Stage::kNone:
    case Stage::kQueued:
    case Stage::kTearingDown:
    case Stage::kEnded:
      return false;
    default:
      return true;
  }
}

bool starting(const Job& job) {
  return job.stage == Stage::kLaunching || job.stage == Stage::kRendezvous;
}

bool reporting(const Job& job) {
  return job.host.info().commits_checkpoints &&
         (job.stage == Stage::kSnapshot || job.stage == Stage::kWaitUpload ||
          job.stage == Stage::kWaitReport);
}

bool upload_busy(const Job& job) { return job.uploading != 0 || job.report_waiting != 0; }

Checkpoint* find_checkpoint(Job& job, std::uint32_t id) { return newest_with(job, id); }

const Checkpoint* find_checkpoint(const Job& job, std::uint32_t id) { return newest_with(job, id); }

}  // namespace aftershock::sim
