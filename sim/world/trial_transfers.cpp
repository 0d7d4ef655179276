#include "sim/world/trial_transfers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "sim/engine/transfers.h"
#include "sim/workload/progress.h"
#include "sim/world/trial_faults.h"
#include "sim/world/trial_places.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

namespace {

using reports::Bucket;
using reports::Cause;

// A storage that fails does not answer: the client of AWS gives a connection up after this long.
constexpr std::int64_t kConnectUs = 1'000'000;

bool moves_bytes(const World& world, const workload::Experiment& experiment) {
  const scenario::ExperimentSpec& experiment_spec = spec(world, experiment);
  return experiment_spec.run.storage && experiment_spec.checkpoint &&
         experiment_spec.checkpoint->bytes > 0;
}

std::vector<std::uint32_t> nodes_of(const workload::Experiment& experiment,
                                    const workload::Trial& trial) {
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t held : trial.place.held) {
    nodes.push_back(experiment.places.node(held));
  }
  return nodes;
}

// The fault that has filled the disk of one of its nodes.
std::optional<std::uint32_t> full_disk(const World& world, const workload::Experiment& experiment,
                                       const workload::Trial& trial) {
  const machines::Pool& pool = world.machines.pool(spec(world, experiment).pool);
  for (std::size_t i = 0; pool.full_disks() > 0 && i < trial.place.held.size(); ++i) {
    if (const auto& full = pool.node(experiment.places.node(trial.place.held[i])).full_disk) {
      return full;
    }
  }
  return std::nullopt;
}

std::int64_t speed(const World& world, const workload::Experiment& experiment,
                   const workload::Trial& trial) {
  const std::uint32_t storage = *spec(world, experiment).run.storage;
  return std::min(experiment.shape.link_bytes_per_s, trial.stage == workload::TrialStage::kRestoring
                                                         ? world.network.read_speed(storage)
                                                         : world.network.write_speed(storage));
}

// Bytes that this time is enough for.
std::int64_t bytes_in(std::int64_t us, std::int64_t bytes_per_s) {
  __extension__ using Wide = __int128;
  constexpr std::int64_t kSecondUs = 1'000'000;
  return static_cast<std::int64_t>(Wide{us} * bytes_per_s / kSecondUs);
}

// The account of a trial that moves bytes, or waits to.
void set_moving_phase(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const bool restores = trial.stage == workload::TrialStage::kRestoring;
  if (trial.waits_for) {
    set_phase(world, experiment, trial,
              restores ? scenario::Phase::kRestoring : scenario::Phase::kCheckpointing,
              Cause::fault(*trial.waits_for));
  } else if (restores) {
    set_phase(world, experiment, trial, scenario::Phase::kRestoring, trial.start_cause);
  } else {
    set_phase(world, experiment, trial, scenario::Phase::kTraining, Cause::policy());
    experiment.ledger.enter(trial.track, world.now_us(), Bucket::kCheckpointBlocking,
                            Cause::checkpoint());
  }
}

// It waits for the end of the fault, or is about to raise.
void keep_from_storage(World& world, workload::Experiment& experiment, workload::Trial& trial,
                       std::uint32_t fault, bool fails) {
  if (trial.stage == workload::TrialStage::kTraining) {
    settle_step(world, experiment, trial);
  }
  trial.waits_for = fault;
  set_moving_phase(world, experiment, trial);
  trial.part = fails ? workload::TrialPart::kFailing : workload::TrialPart::kMoving;
  if (fails) {
    enter_stage(world, experiment, trial, trial.stage, kConnectUs);
  } else {
    ++trial.stage_epoch;
  }
}

void move_bytes(World& world, workload::Experiment& experiment, workload::Trial& trial,
                std::int64_t bytes) {
  trial.part = workload::TrialPart::kMoving;
  trial.left_bytes = bytes;
  trial.bytes_per_s = speed(world, experiment, trial);
  enter_stage(world, experiment, trial, trial.stage,
              engine::transfer_length_us(bytes, trial.bytes_per_s));
}

// Nothing of it is made use of when it begins anew.
bool stopped_on_its_way(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const scenario::ExperimentSpec& experiment_spec = spec(world, experiment);
  const std::uint32_t storage = *experiment_spec.run.storage;
  const network::StorageTrouble* outage = world.network.outage(storage);
  if (outage != nullptr && outage->fails) {
    keep_from_storage(world, experiment, trial, outage->fault, true);
    return true;
  }
  const auto blocked =
      world.network.blocked_by(storage, experiment_spec.pool, nodes_of(experiment, trial));
  if (blocked && !trial.waits_for) {
    keep_from_storage(world, experiment, trial, *blocked, false);
  }
  return blocked.has_value();
}

// The part that the trial is in, of one whose entry covers several: looked up by the time that is
// left of it.
void find_part(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const std::int64_t left_us = trial.stage_end_us - world.now_us();
  const auto within = [&](workload::TrialPart part, std::int64_t behind_us) {
    trial.part = part;
    enter_stage(world, experiment, trial, trial.stage, left_us - behind_us);
  };
  if (trial.stage == workload::TrialStage::kRestoring) {
    if (left_us <= trial.loading_us) {
      trial.part = workload::TrialPart::kLoading;
      return;
    }
    within(workload::TrialPart::kMoving, trial.loading_us);
  } else if (trial.part == workload::TrialPart::kWhole && left_us > experiment.shape.save_us) {
    within(workload::TrialPart::kComputing, experiment.shape.save_us);
    return;
  } else if (left_us > experiment.shape.upload_us) {
    within(workload::TrialPart::kBlocking, experiment.shape.upload_us);
    return;
  } else {
    trial.part = workload::TrialPart::kMoving;
  }
  // As it was planned: with all to itself that a healthy storage gives.
  const scenario::StorageSpec& storage =
      world.scenario().cluster.storage[*spec(world, experiment).run.storage];
  trial.left_bytes = spec(world, experiment).checkpoint->bytes;
  trial.bytes_per_s =
      std::min(experiment.shape.link_bytes_per_s, trial.stage == workload::TrialStage::kRestoring
                                                      ? storage.read_bytes_per_s
                                                      : storage.write_bytes_per_s);
}

bool parts_are_joined(const World& world, const workload::Experiment& experiment,
                      const workload::Trial& trial) {
  if (trial.broken || trial.held || trial.stage_end_us <= world.now_us()) {
    return false;
  }
  if (trial.stage == workload::TrialStage::kRestoring) {
    return trial.part == workload::TrialPart::kWhole && experiment.shape.load_us > 0;
  }
  return trial.stage == workload::TrialStage::kTraining && saves_next(world, experiment, trial) &&
         (trial.part == workload::TrialPart::kWhole || trial.part == workload::TrialPart::kSaving);
}

}  // namespace

bool save_may_fail(const World& world, const workload::Experiment& experiment,
                   const workload::Trial& trial) {
  return full_disk(world, experiment, trial).has_value() ||
         (world.network.troubled() && moves_bytes(world, experiment));
}

void begin_blocking(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  trial.part = workload::TrialPart::kBlocking;
  enter_stage(world, experiment, trial, workload::TrialStage::kTraining,
              experiment.shape.save_us - experiment.shape.upload_us);
}

void begin_moving(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.stage == workload::TrialStage::kTraining) {
    if (const auto full = full_disk(world, experiment, trial)) {
      fail_process(world, experiment, trial, policies::WorkerFailure::kException, *full,
                   "OSError: no space left on device");
      return;
    }
  }
  if (!moves_bytes(world, experiment)) {
    trial.part = workload::TrialPart::kMoving;
    enter_stage(world, experiment, trial, trial.stage, 0);
    return;
  }
  if (!stopped_on_its_way(world, experiment, trial)) {
    move_bytes(world, experiment, trial, spec(world, experiment).checkpoint->bytes);
  }
}

bool part_over(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.stage != workload::TrialStage::kTraining &&
      trial.stage != workload::TrialStage::kRestoring) {
    return false;
  }
  switch (trial.part) {
    case workload::TrialPart::kWhole:
    case workload::TrialPart::kSaving:
    case workload::TrialPart::kLoading:
      return false;
    case workload::TrialPart::kComputing:
      step_computed(world, experiment, trial);
      return true;
    case workload::TrialPart::kBlocking:
      begin_moving(world, experiment, trial);
      return true;
    case workload::TrialPart::kFailing:
      fail_process(world, experiment, trial, policies::WorkerFailure::kException, *trial.waits_for,
                   "OSError: storage is not available");
      return true;
    case workload::TrialPart::kMoving:
      if (trial.stage == workload::TrialStage::kRestoring) {
        trial.part = workload::TrialPart::kLoading;
        enter_stage(world, experiment, trial, workload::TrialStage::kRestoring, trial.loading_us);
        return true;
      }
      return false;
  }
  AFTERSHOCK_ASSERT(false && "a part is one of these");
}

void review_transfer(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (!moves_bytes(world, experiment)) {
    return;
  }
  if (parts_are_joined(world, experiment, trial)) {
    find_part(world, experiment, trial);
  }
  const bool active = trial.stage == workload::TrialStage::kTraining ||
                      trial.stage == workload::TrialStage::kRestoring;
  if (!active || trial.part != workload::TrialPart::kMoving || trial.broken || trial.held) {
    return;
  }
  const bool waited = trial.waits_for.has_value();
  if (!waited && trial.stage_end_us <= world.now_us()) {
    return;  // all of it is there
  }
  if (stopped_on_its_way(world, experiment, trial)) {
    return;
  }
  if (waited) {
    trial.waits_for.reset();
    set_moving_phase(world, experiment, trial);
    move_bytes(world, experiment, trial, spec(world, experiment).checkpoint->bytes);
  } else if (speed(world, experiment, trial) != trial.bytes_per_s) {
    const std::int64_t left = bytes_in(trial.stage_end_us - world.now_us(), trial.bytes_per_s);
    move_bytes(world, experiment, trial, std::clamp<std::int64_t>(left, 1, trial.left_bytes));
  }
}

void review_transfers(World& world) {
  for (workload::Experiment& experiment : world.experiments) {
    if (!moves_bytes(world, experiment)) {
      continue;
    }
    std::vector<std::uint32_t> numbers = experiment.running;
    // `running` is in no order: by number what is recorded here follows from the state alone.
    std::ranges::sort(numbers);
    for (const std::uint32_t number : numbers) {
      review_transfer(world, experiment, experiment.trials[number]);
    }
  }
}

void part_saves(World& world, std::uint32_t pool, std::uint32_t node) {
  workload::Experiment* experiment = experiment_on(world, pool, node);
  if (experiment == nullptr) {
    return;
  }
  for (const std::uint32_t number : trials_on(world, *experiment, pool, node)) {
    workload::Trial& trial = experiment->trials[number];
    const bool saves_here = trial.stage == workload::TrialStage::kTraining &&
                            parts_are_joined(world, *experiment, trial);
    // Bytes that are being uploaded have been written.
    if (saves_here && trial.stage_end_us - world.now_us() > experiment->shape.upload_us) {
      find_part(world, *experiment, trial);
    }
  }
}

}  // namespace aftershock::sim::world
