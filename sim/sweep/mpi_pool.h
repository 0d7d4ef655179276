#pragma once

#include <functional>
#include <memory>

#include "policies/api/config.h"
#include "sim/sweep/mpi_job.h"
#include "sim/sweep/process_pool.h"

namespace aftershock::sim::sweep {

/// The workers of all ranks but 0, which has this pool and runs nothing itself: `workers` a rank.
/// Recordings go to the same folder on all, which must be on a file system that they share. While
/// the pool lives stop_signals() come as news.
std::unique_ptr<WorkerPool> make_mpi_pool(MpiJob& job, const Plan& plan,
                                          const WorkerPoolOptions& options);

/// The maker of a cell's policies, as the command line of rank 0 says.
using PoliciesOfCell =
    std::function<std::shared_ptr<policies::PolicySource>(const PlannedCell& cell)>;

/// The life of another rank: runs what rank 0 asks for in processes of its own, so that a run that
/// crashes costs that run and not the job, until rank 0 has no more. `policies` gives
/// the makers of policies of cells that the library does not decide.
void serve_mpi_rank(MpiJob& job, const PoliciesOfCell& policies);

}  // namespace aftershock::sim::sweep
