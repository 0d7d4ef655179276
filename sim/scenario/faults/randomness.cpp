#include "sim/scenario/faults/randomness.h"

#include <algorithm>
#include <variant>

#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::scenario {
namespace {

bool varies(const Distribution& law) {
  if (const auto* uniform = std::get_if<Distribution::Uniform>(&law.shape)) {
    return uniform->low_us < uniform->high_us;
  }
  if (const auto* empirical = std::get_if<Distribution::Empirical>(&law.shape)) {
    return std::ranges::adjacent_find(empirical->values_us, std::ranges::not_equal_to()) !=
           empirical->values_us.end();
  }
  return !std::holds_alternative<Distribution::Constant>(law.shape);
}

bool varies(const std::optional<Distribution>& law) { return law && varies(*law); }

/// A share that neither none nor all have.
bool is_part(std::int64_t ppm) { return ppm > 0 && ppm < 1'000'000; }

bool varies(const PhaseLengths& lengths) {
  return varies(lengths.launching) || varies(lengths.rendezvous) || varies(lengths.restoring) ||
         varies(lengths.warming_up) || varies(lengths.tearing_down) || varies(lengths.finalizing);
}

bool varies(const CollectivesSpec& peers) {
  return varies(peers.peer_ended) || varies(peers.peer_vanished) || varies(peers.gone_after);
}

/// Whether which rank, trial or accelerator a scripted fault strikes is drawn.
bool draws_target(const FaultSpec& fault, FaultKind kind) {
  const FaultTraits& traits = entry_of(kind).traits;
  switch (fault.target.kind) {
    case TargetKind::kJob:
      return !traits.of_whole_run;
    case TargetKind::kExperiment:
      return !traits.of_whole_run && !fault.at_step;
    case TargetKind::kNode:
      return traits.of_one_accelerator;
    default:
      return false;
  }
}

bool varies(const FaultEffect& effect) {
  return varies(effect.lasts) || varies(effect.heal) || varies(effect.every) ||
         varies(effect.network.down) || varies(effect.network.up) ||
         is_part(effect.heal_fails_ppm.value_or(0)) ||
         (!effect.then.empty() && is_part(effect.then_share_ppm)) ||
         // Between two tries at an upload there is a random wait.
         effect.kind == FaultKind::kUploadError;
}

/// Whether all that a source's script leaves to be drawn is what its effect says.
bool says_causes(const std::vector<Occurrence>& script) {
  return std::ranges::all_of(script, [](const Occurrence& one) { return one.cause.has_value(); });
}

bool varies(const FaultSpec& fault) {
  const auto* script =
      fault.source && fault.source->occurrences ? &*fault.source->occurrences : nullptr;
  const bool planned = fault.source && fault.source->maintenance;
  if (fault.source && script == nullptr && !planned) {
    return true;
  }
  if (fault.effects.size() > 1 && (script == nullptr || !says_causes(*script))) {
    return true;
  }
  return std::ranges::any_of(fault.effects, [&](const WeightedEffect& cause) {
    return varies(cause.effect) || (!fault.source && draws_target(fault, cause.effect.kind));
  });
}

bool varies(const PoolSpec& pool) {
  return varies(pool.repair) ||
         (pool.replacement == Replacement::kProvision && varies(pool.provision)) ||
         std::ranges::any_of(
             pool.device_repairs,
             [](const std::optional<Distribution>& repair) { return varies(repair); }) ||
         std::ranges::any_of(pool.self_healing, [](const HealingSpec& healing) {
           return varies(healing.takes) || is_part(healing.fails_ppm);
         });
}

}  // namespace

bool draws_faults(const Scenario& scenario) {
  return std::ranges::any_of(scenario.faults, [](const FaultSpec& fault) { return varies(fault); });
}

bool draws_random_numbers(const Scenario& scenario) {
  const auto any = [](const auto& list, const auto& which) {
    return std::ranges::any_of(list, which);
  };
  if (draws_faults(scenario) ||
      any(scenario.jobs,
          [](const JobSpec& job) { return varies(job.phases) || varies(job.restart_phases); }) ||
      any(scenario.experiments, [](const ExperimentSpec& experiment) {
        return varies(experiment.step) || varies(experiment.launching) ||
               varies(experiment.restoring);
      })) {
    return true;
  }
  // Machines fail by faults alone: without one nothing is repaired.
  return !scenario.faults.empty() &&
         (any(scenario.jobs, [](const JobSpec& job) { return varies(job.collectives); }) ||
          any(scenario.cluster.pools, [](const PoolSpec& pool) { return varies(pool); }) ||
          any(scenario.cluster.heads,
              [](const HeadSpec& head) { return head.restart && varies(head.restart->after); }));
}

}  // namespace aftershock::sim::scenario
