#include "sim/workload/artifacts.h"

namespace aftershock::sim::workload {

void begin_writing(Artifacts& artifacts, std::int64_t now_us) { artifacts.anchor_us = now_us; }

void stop_writing(Artifacts& artifacts, std::int64_t period_us, std::int64_t now_us) {
  if (!artifacts.anchor_us) {
    return;
  }
  const std::int64_t wrote_us = now_us - *artifacts.anchor_us;
  artifacts.anchor_us.reset();
  if (wrote_us >= period_us) {
    // The last copy took everything that was there, that of earlier attempts too: what came after
    // it is all that is left.
    artifacts.on_nodes_us = wrote_us % period_us;
    artifacts.synced_us = now_us - artifacts.on_nodes_us;
  } else {
    artifacts.on_nodes_us += wrote_us;
  }
}

void lose_artifacts(Artifacts& artifacts, std::int64_t period_us, std::int64_t now_us) {
  // Copies that fell due before the loss have been made: those come off first.
  stop_writing(artifacts, period_us, now_us);
  artifacts.lost_us += artifacts.on_nodes_us;
  artifacts.on_nodes_us = 0;
}

void copy_artifacts(Artifacts& artifacts, std::int64_t now_us) {
  // Without anything to copy the date of the last copy stays what it was.
  if (artifacts.anchor_us || artifacts.on_nodes_us > 0) {
    artifacts.synced_us = now_us;
  }
  artifacts.anchor_us.reset();
  artifacts.on_nodes_us = 0;
}

}  // namespace aftershock::sim::workload
