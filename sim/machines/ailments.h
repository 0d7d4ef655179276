#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/run_core.h"
#include "sim/engine/calendar.h"
#include "sim/faults/fault_book.h"
#include "sim/machines/machines.h"
#include "sim/machines/troubles.h"

namespace aftershock::sim::machines {

/// The accelerators of a pool that somebody computes on: the first `workers` of the placement's.
struct Share {
  std::uint32_t pool = 0;
  const Placement& placement;
  std::uint32_t workers = 0;
};

/// All that is wrong with machines that work, and with pools that give them out: slow nodes,
/// defects that have yet to show, bad batches, denied capacity, false accusations. It promises that
/// a new machine has nothing of the one before, that a repaired one is as fast as the others, and
/// that a defect's nth failure is drawn by its own number, whatever else happens.
class Ailments {
 public:
  /// Whether there is anything to ask: most runs have none.
  [[nodiscard]] bool any_slow() const { return !slownesses_.empty(); }
  /// Recorded as "straggling", until it ends.
  void slow_down(core::RunCore& core, Slowness slowness);
  /// The slowness that was; none: its machine is gone, or was repaired.
  std::optional<Slowness> end_slowness(core::RunCore& core, std::uint32_t fault);
  /// Whether the node had some.
  bool forget_slowness(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  /// The worst of those that slow the share down, the oldest among equals; null: none does.
  [[nodiscard]] const Slowness* slowest(const Machines& machines, std::uint32_t per_node,
                                        const Share& share) const;

  /// The same of the accelerators [first, end) of one node.
  [[nodiscard]] const Slowness* slowest(std::uint32_t pool, std::uint32_t node, std::uint32_t first,
                                        std::uint32_t end) const;

  /// The same of defects and of batches.
  [[nodiscard]] bool any_defect() const { return !defects_.empty(); }
  [[nodiscard]] bool any_bad_batch() const { return !bad_batches_.empty(); }
  /// A machine fails again from now on, and the next of a pool are bad.
  void add_defect(const Defect& defect) { defects_.push_back(defect); }
  void add_bad_batch(const BadBatch& batch) { bad_batches_.push_back(batch); }
  /// The machine is put to use: it may be one of a bad batch.
  void put_to_use(const scenario::Scenario& scenario, const faults::FaultBook& faults,
                  std::uint32_t pool, std::uint32_t node, scenario::NewMachines as);
  void forget_defects(std::uint32_t pool, std::uint32_t node);
  /// The node was repaired, which cures its lemons with the chance that their fault gives:
  /// recorded.
  void cure_lemons(core::RunCore& core, const faults::FaultBook& faults, std::uint32_t pool,
                   std::uint32_t node);
  /// Plans the next failure of the lemons of a node that is back.
  void plan_lemons(core::RunCore& core, const faults::FaultBook& faults, const Machines& machines,
                   std::uint32_t pool, std::uint32_t node) const;
  /// Plans the failure of each bad replacement that launches.
  void plan_bad_replacements(core::RunCore& core, const faults::FaultBook& faults,
                             const Machines& machines, std::uint32_t pool,
                             const NodeBits& launching) const;
  /// The defect of an entry of kDefectShows, as it was before it shows; none: its machine is gone,
  /// or does no work. One of a bad replacement is over with that.
  std::optional<Defect> show_defect(const scenario::Scenario& scenario,
                                    const faults::FaultBook& faults, const Machines& machines,
                                    const engine::Entry& entry);

  /// The pool of the fault gives out no machines, and no spares where the fault says so.
  void deny(core::RunCore& core, const faults::FaultBook& faults, Machines& machines,
            std::uint32_t fault);
  /// The pool gives out machines again, as far as that fault goes.
  void end_denial(core::RunCore& core, const faults::FaultBook& faults, Machines& machines,
                  std::uint32_t fault);
  [[nodiscard]] bool denied(std::uint32_t pool) const;

  /// An alarm named a node that may be healthy.
  void accuse(const FalseAccusation& accusation) { false_accusations_.push_back(accusation); }
  /// A policy has isolated the node. If it was accused and nothing is wrong with it, that is
  /// recorded.
  void judge_isolation(core::RunCore& core, const Machines& machines, std::uint32_t pool,
                       std::uint32_t node);

 private:
  std::vector<Slowness> slownesses_;
  std::vector<Defect> defects_;
  std::vector<BadBatch> bad_batches_;
  std::vector<Denial> denials_;
  std::vector<FalseAccusation> false_accusations_;
};

}  // namespace aftershock::sim::machines
