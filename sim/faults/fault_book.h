#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "sim/core/run_core.h"
#include "sim/faults/fault_record.h"
#include "sim/faults/trigger_probe.h"

namespace aftershock::sim::faults {

/// The faults of one run. The book owns every occurrence that struck, by its number; how many found
/// nothing to strike; which faults of the scenario have nothing more to come; and how far the
/// phases are that triggers wait for. It promises that a number keeps its meaning to the end of the
/// run, and that every occurrence is recorded once, when it strikes.
class FaultBook {
 public:
  /// `strikes` takes every occurrence as it was aimed, masked ones too; null: nobody does.
  /// `trigger_offsets_us`: of triggers whose offset is a share of their phase, by fault.
  FaultBook(const scenario::Scenario& scenario, std::vector<FaultRecord>* strikes,
            std::map<std::uint32_t, std::int64_t> trigger_offsets_us);

  /// The occurrence of that number.
  [[nodiscard]] const FaultRecord& operator[](std::size_t number) const {
    AFTERSHOCK_ASSERT(number < records_.size());
    return records_[number];
  }
  [[nodiscard]] std::span<const FaultRecord> records() const { return records_; }
  /// Faults that found nothing to strike, by FaultKind.
  [[nodiscard]] const std::array<std::int64_t, scenario::kFaultKinds>& masked() const {
    return masked_;
  }

  /// Takes in an occurrence that is about to strike. Its number is the answer; mask() takes that
  /// back where it finds nothing.
  std::uint32_t open(const FaultRecord& fault);
  /// The same of the failure that a fault brings later, as an occurrence of its own: `strikes` of
  /// the constructor does not get it.
  std::uint32_t open_again(const FaultRecord& fault);
  /// The occurrence has found something to strike, and is recorded.
  void fire(core::RunCore& core, std::uint32_t number);
  /// The newest occurrence has found nothing: it is recorded and, unless it holds something as it
  /// is, forgotten. `counts`: it is a fault, and not a draw for a place without a machine.
  void mask(core::RunCore& core, std::uint32_t number, bool counts);

  /// A controller gets to see the doings of the fault.
  void detect(std::size_t number) { record_of(number).detected = true; }
  /// An attempt began because of it.
  void cause_restart(std::size_t number) { record_of(number).caused_restart = true; }
  /// An error that is not corrected any more, or a failure by the code behind `then`.
  void escalate(std::uint32_t number) { record_of(number).escalated = true; }
  /// The rest that may change of an occurrence: whom it strikes, where that moves.
  template <class Change>
  void update(std::uint32_t number, Change&& change) {
    std::forward<Change>(change)(record_of(number));
  }

  /// Whether the fault of the scenario strikes once, or waits for steps, and has struck.
  [[nodiscard]] bool spent(std::uint32_t spec) const { return spent_[spec]; }
  void spend(std::uint32_t spec, bool spent = true) { spent_[spec] = spent; }
  /// How often the fault has struck that waits for steps of trials; counts this time.
  std::uint32_t count_step_strike(std::uint32_t spec) { return step_strikes_[spec]++; }

  /// Whether any fault waits for a phase.
  [[nodiscard]] bool has_triggers() const { return has_triggers_; }
  [[nodiscard]] const std::vector<TriggerProbe>& probes() const { return probes_; }
  [[nodiscard]] TriggerProbe& probe(std::uint32_t spec) { return probes_[spec]; }
  /// How long after the begin of its phase the trigger strikes; none: this run is there to find the
  /// length of the phase, and the trigger is spent.
  std::optional<std::int64_t> trigger_offset_us(std::uint32_t spec,
                                                const scenario::PhaseTrigger& trigger);

 private:
  [[nodiscard]] FaultRecord& record_of(std::size_t number) {
    AFTERSHOCK_ASSERT(number < records_.size());
    return records_[number];
  }
  void record(core::RunCore& core, std::uint32_t number) const;

  std::vector<FaultRecord> records_;
  std::vector<FaultRecord>* strikes_;
  std::array<std::int64_t, scenario::kFaultKinds> masked_{};
  std::vector<bool> spent_;  ///< by fault of the scenario, as all that follow
  std::vector<std::uint32_t> step_strikes_;
  std::vector<TriggerProbe> probes_;
  std::map<std::uint32_t, std::int64_t> trigger_offsets_us_;
  bool has_triggers_ = false;
};

/// The effect of the fault that was drawn for the occurrence.
const scenario::FaultEffect& effect_of(const scenario::Scenario& scenario,
                                       const FaultRecord& fault);

/// How long the occurrence lasts, in microseconds: as its list says, else drawn by the law of its
/// effect, else by that of the pool's repairs where the effect lasts until a repair. None: neither
/// says so.
std::optional<std::int64_t> draw_lasts(const scenario::Scenario& scenario,
                                       const FaultRecord& fault);
/// The same for all that one occurrence strikes at once. None where each is repaired by itself.
std::optional<std::int64_t> draw_lasts_together(const scenario::Scenario& scenario,
                                                const FaultRecord& fault);

}  // namespace aftershock::sim::faults
