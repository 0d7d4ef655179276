#include "sim/workload/job.h"

namespace aftershock::sim::workload {

bool reporting(const Job& job) {
  return job.control.host.info().commits_checkpoints &&
         (job.stage == Stage::kSnapshot || job.stage == Stage::kWaitUpload ||
          job.stage == Stage::kWaitReport);
}

bool looks_for_hangs(const scenario::JobSpec& spec, const Job& job) {
  // A start has a timeout of its own, and a controller that waits for it hears of nothing else.
  const bool looks = job.detection.hang || spec.hang_after_us;
  return looks && has_processes(job) && !job.broken && !starting(job);
}

bool upload_busy(const Job& job) {
  return job.saved.uploading != 0 || job.detection.report_waiting != 0;
}

}  // namespace aftershock::sim::workload
