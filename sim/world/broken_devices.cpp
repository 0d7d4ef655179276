#include <utility>
#include <vector>

#include "sim/world/devices.h"
#include "sim/world/failure.h"
#include "sim/world/network_faults.h"
#include "sim/world/world.h"

// Attempts that start on accelerators which are out of order: a restart in place does not mend
// them, and a pool without a health check gives them out.
namespace aftershock::sim::world {

namespace {

// A device that is off the bus or waits for a reboot fails its driver's first call. One that needs
// a reset still answers that, and fails the first kernel (NVIDIA's catalogue of Xids has the action
// of each; the two groups are our reading of it, modelarts.md 7.1).
DeviceUse fails_at(const machines::FailedDevice& device) {
  return device.needs == policies::DeviceNeed::kReset ? DeviceUse::kCompute
                                                      : DeviceUse::kInitialise;
}

}  // namespace

void use_devices(World& world, workload::Job& job, DeviceUse use) {
  const std::uint32_t pool = spec(world, job).pool;
  const std::uint32_t per_node = world.scenario().cluster.pools[pool].accelerators_per_node;
  std::vector<detection::RankFailure> failures;
  for (const machines::FailedDevice& device : world.machines.failed_devices()) {
    if (!device.lasting || device.pool != pool || !job.placement.nodes[device.node] ||
        fails_at(device) != use) {
      continue;
    }
    const std::uint32_t rank =
        world.machines.pool(pool).node(device.node).slot * per_node + device.accelerator;
    if (rank >= job.workers) {
      continue;
    }
    detection::RankFailure& failure = failures.emplace_back();
    failure.ranks = policies::RankSet::range(rank, rank + 1);
    // The process is healthy and hears of the device by an error of its runtime.
    failure.kind = policies::WorkerFailure::kException;
    failure.error = "AcceleratorError";
    failure.answers = true;
    failure.fault = device.fault;
    if (hides(world, job, device.node)) {
      failure.hidden_on = device.node;
    } else {
      failure.visible_us = world.now_us();
    }
  }
  for (detection::RankFailure& failure : failures) {
    fail_ranks(world, job, std::move(failure));
  }
}

}  // namespace aftershock::sim::world
