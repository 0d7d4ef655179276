#pragma once

#include <cstdint>
#include <optional>

#include "sim/world/world.h"

namespace aftershock::sim::world {

/// The target of a fault: as the scenario says, by chance where that is more than one. Reads the
/// world and changes nothing of it; for the length of a call.
class TargetResolution {
 public:
  /// The world has to outlive it.
  explicit TargetResolution(const World& world) : world_(world) {}

  /// Sets the place of an occurrence that is about to strike.
  void resolve(const scenario::FaultSpec& spec, faults::FaultRecord& fault) const;
  /// Sets the job and the rank whose process uses the accelerator.
  void resolve_rank(faults::FaultRecord& fault) const;
  /// The units, nodes or accelerators, for which the clock of the fault's source goes on: those
  /// that are powered or held, as its exposure says; 0: it stands still. For sources with an
  /// exposure.
  [[nodiscard]] std::int64_t units_at_risk(std::uint32_t spec_index) const;
  /// Whether the clock of a source that goes by the job's training may run: true but where the
  /// target is one node that the job does not hold.
  [[nodiscard]] bool works_on_target(const workload::Job& job, std::uint32_t spec_index) const;

 private:
  void resolve_place(const scenario::FaultSpec& spec, faults::FaultRecord& fault) const;
  [[nodiscard]] std::uint32_t nth_exposed(const scenario::FaultSpec& spec, std::uint32_t nth) const;
  [[nodiscard]] std::uint32_t draw_unit_of(const scenario::FaultSpec& spec,
                                           const faults::FaultRecord& fault) const;
  bool resolve_by_source(const scenario::FaultSpec& spec, const scenario::Target& target,
                         faults::FaultRecord& fault) const;
  void set_node(const scenario::FaultSpec& spec, faults::FaultRecord& fault,
                std::uint32_t unit) const;
  void set_domain(const scenario::FaultSpec& spec, faults::FaultRecord& fault, std::uint32_t domain,
                  scenario::TargetKind kind) const;
  void resolve_in_training(const scenario::FaultSpec& spec, faults::FaultRecord& fault) const;
  void resolve_in_job(const scenario::Target& target, const chance::RandomDraw& draw,
                      faults::FaultRecord& fault) const;
  void resolve_agent(const scenario::Target& target, faults::FaultRecord& fault) const;
  void resolve_trial(const scenario::Target& target, faults::FaultRecord& fault,
                     std::optional<std::uint32_t> trial_of_step) const;
  void resolve_trial_on_node(faults::FaultRecord& fault) const;

  const World& world_;
};

}  // namespace aftershock::sim::world
