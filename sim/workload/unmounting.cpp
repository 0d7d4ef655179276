#include "sim/workload/unmounting.h"

#include <algorithm>

namespace aftershock::sim::workload {

// Unmounting begins when the processes are gone, and grows with the pods; where it may go on by
// itself from some time after the stop on, nobody waits for it longer than that (modelarts.md 4,
// rule 7).
std::int64_t unmounted_after_us(const scenario::VolumeSpec& volumes, std::size_t pods,
                                const policies::StopWorkers& command, std::int64_t stopped_us) {
  if (pods == 0) {
    return stopped_us;
  }
  const std::int64_t whole_us =
      stopped_us + volumes.unmount_us + volumes.per_pod_us * static_cast<std::int64_t>(pods);
  return command.unmount_async_after_us
             ? std::min(whole_us, std::max(stopped_us, *command.unmount_async_after_us))
             : whole_us;
}

}  // namespace aftershock::sim::workload
