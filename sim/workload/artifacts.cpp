#include "sim/workload/artifacts.h"

namespace aftershock::sim {

void begin_writing(Artifacts& artifacts, std::int64_t now_us) { artifacts.anchor_us = now_us; }

void stop_writing(Artifacts& artifacts, std::int64_t period_us, std::int64_t now_us) {
  if (!artifacts.anchor_us) {
    return;
  }
  const std::int64_t wrote_us = now_us - *artifacts.anchor_us;
  artifacts.anchor_us.reset();
  if (wrote_us >= period_us) {
    artifacts.on_nodes_us = wrote_us % period_us;
    artifacts.synced_us = now_us - artifacts.on_nodes_us;
  } else {
    artifacts.on_nodes_us += wrote_us;
  }
}

void lose_artifacts(Artifacts& artifacts, std::int64_t period_us, std::int64_t now_us) {
  stop_writing(artifacts, period_us, now_us);
  artifacts.lost_us += artifacts.on_nodes_us;
  artifacts.on_nodes_us = 0;
}

void copy_artifacts(Artifacts& artifacts, std::int64_t now_us) {
  if (artifacts.anchor_us || artifacts.on_nodes_us > 0) {
    artifacts.synced_us = now_us;
  }
  artifacts.anchor_us.reset();
  artifacts.on_nodes_us = 0;
}

}  // namespace aftershock::sim
