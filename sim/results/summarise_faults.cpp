#include "sim/results/summarise_faults.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "sim/faults/fault_record.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/text/units.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

namespace {

std::string steps_words(const world::World& world, const scenario::FaultSpec& fault) {
  if (!fault.step_job) {
    return fmt::format("no trial came to step {}", *fault.at_step);
  }
  const scenario::JobSpec& job = world.scenario().jobs[*fault.step_job];
  return fmt::format("job {} never ended step {}", job.name, *fault.at_step);
}

std::string phase_words(const world::World& world, const scenario::PhaseTrigger& trigger,
                        bool over) {
  const std::string& job = world.scenario().jobs[trigger.job].name;
  const std::string_view phase = scenario::kPhaseNames[static_cast<std::size_t>(trigger.phase)];
  const std::uint32_t entered =
      world.jobs[trigger.job].phase_count[static_cast<std::size_t>(trigger.phase)];
  if (entered >= trigger.nth) {
    return over ? fmt::format("{} of job {} was over before the offset", phase, job)
                : fmt::format("the run ended in {} of job {}, before the offset", phase, job);
  }
  return entered == 0 ? fmt::format("job {} never entered {}", job, phase)
                      : fmt::format("job {} entered {} {} {} only, and it was to come time {}", job,
                                    phase, entered, entered == 1 ? "time" : "times", trigger.nth);
}

std::optional<std::string> why_never(const world::World& world, std::uint32_t spec) {
  const scenario::FaultSpec& fault = world.scenario().faults[spec];
  if (fault.at_us) {
    if (world.faults.spent(spec)) {
      return std::nullopt;
    }
    // The time of a run that is stuck goes on to `until` without anything that is played.
    return *fault.at_us < world.now_us()
               ? fmt::format("the run was stuck before it was to come at {}",
                             scenario::format_duration(*fault.at_us))
               : fmt::format("the run ended at {}, and it was to come at {}",
                             scenario::format_duration(world.now_us()),
                             scenario::format_duration(*fault.at_us));
  }
  // A source has promised no number of occurrences.
  if (fault.source) {
    return std::nullopt;
  }
  // A trigger is spent as well where it finds its phase over.
  const bool over = fault.when && world.faults.probes()[spec].length_us &&
                    fault.when->offset_us > *world.faults.probes()[spec].length_us;
  if (world.faults.spent(spec) && !over) {
    return std::nullopt;
  }
  return fault.when ? phase_words(world, *fault.when, over) : steps_words(world, fault);
}

std::vector<reports::NeverStruck> never_struck(const world::World& world) {
  std::vector<bool> struck(world.scenario().faults.size());
  for (const faults::FaultRecord& fault : world.faults.records()) {
    struck[fault.spec] = true;
  }
  std::vector<reports::NeverStruck> never;
  for (std::uint32_t spec = 0; spec < struck.size(); ++spec) {
    if (struck[spec]) {
      continue;
    }
    if (auto why = why_never(world, spec)) {
      const scenario::FaultSpec& fault = world.scenario().faults[spec];
      never.push_back({fault.id, std::string(scenario::name_of(fault.effects.front().effect.kind)),
                       std::move(*why)});
    }
  }
  return never;
}

}  // namespace

void summarise_faults(const world::World& world, reports::RunSummary& summary) {
  for (const faults::FaultRecord& fault : world.faults.records()) {
    if (!fault.fired) {
      continue;  // it counts as masked below
    }
    reports::FaultCounts& counts = summary.faults[std::string(
        scenario::name_of(faults::effect_of(world.scenario(), fault).kind))];
    ++counts.injected;
    ++counts.fired;
    counts.detected += fault.detected ? 1 : 0;
  }
  for (std::size_t kind = 0; kind < world.faults.masked().size(); ++kind) {
    // Records of masked occurrences are not kept: numbers are for those that others refer to.
    if (const std::int64_t masked = world.faults.masked()[kind]; masked > 0) {
      reports::FaultCounts& counts =
          summary.faults[std::string(scenario::name_of(static_cast<scenario::FaultKind>(kind)))];
      counts.injected += masked;
      counts.masked += masked;
    }
  }
  summary.never_struck = never_struck(world);
  for (const reports::NeverStruck& fault : summary.never_struck) {
    // Asked for, and so in the sum, though it neither fired nor was masked.
    ++summary.faults[fault.kind].injected;
  }
}

}  // namespace aftershock::sim::results
