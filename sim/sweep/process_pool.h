#pragma once

#include <memory>
#include <string>

#include "sim/sweep/worker_pool.h"

namespace aftershock::sim::sweep {

/// The options of workers beside the plan.
struct WorkerPoolOptions {
  std::uint32_t workers = 1;
  std::string folder;  ///< of recordings
};

/// Workers that are forked from this process, which must have no other threads. While the pool
/// lives stop_signals() come as news; when it goes its workers are killed, as they are when
/// this process is.
std::unique_ptr<WorkerPool> make_process_pool(const Plan& plan, const WorkerPoolOptions& options);

}  // namespace aftershock::sim::sweep
