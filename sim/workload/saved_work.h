#pragma once

#include <cstdint>
#include <vector>

#include "reports/recording/recorder.h"
#include "sim/engine/transfers.h"
#include "sim/workload/artifacts.h"
#include "sim/workload/checkpoint.h"

namespace aftershock::sim::workload {

/// The part of a job's work that storage has, and transfers that are on their way there or back.
struct SavedWork {
  std::vector<Checkpoint> checkpoints;
  std::uint32_t uncommitted = 0;  ///< how many of them
  std::vector<Leftover> leftovers;
  Artifacts artifacts;
  std::uint32_t next_checkpoint = 1;
  std::uint32_t committed = 0;  ///< id of the latest committed checkpoint, 0: none
  std::int64_t committed_count = 0;
  std::int64_t committed_work_us = 0;
  engine::TransferId upload = 0;  ///< of the checkpoint that is uploading, 0: none
  std::uint32_t uploading = 0;
  reports::SpanId upload_span = 0;
  reports::SpanId commit_span = 0;
  engine::TransferId download = 0;
  std::int64_t link_bound_bytes_per_s = 0;  ///< the sum over the gang's own links
};

}  // namespace aftershock::sim::workload
