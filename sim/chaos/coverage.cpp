#include "sim/chaos/coverage.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/scenario/fault_catalogue.h"
#include "sim/world/simulate.h"

namespace aftershock::sim {
namespace {

/// A run at its end, and the job that is searched.
struct Seen {
  const World& world;
  const Job& job;
};

bool any_fault(const Seen& seen, const auto& holds) {
  return std::ranges::any_of(seen.world.faults(), [&](const FaultRecord& fault) {
    return fault.fired && holds(fault, seen.world.effect_of(fault));
  });
}

bool any_charge(const Seen& seen, const auto& holds) {
  return std::ranges::any_of(seen.job.charges,
                             [&](const ChargeRecord& charge) { return holds(charge.move); });
}

bool same_phase_twice(const Seen& seen) {
  const auto& faults = seen.world.faults();
  for (std::size_t i = 1; i < faults.size(); ++i) {
    if (faults[i].fired && faults[i - 1].fired && faults[i].phase &&
        faults[i].phase == faults[i - 1].phase && *faults[i].phase != Phase::kTraining) {
      return true;
    }
  }
  return false;
}

bool on_replacement(const Seen& seen) {
  const JobSpec& spec = seen.world.scenario().jobs[seen.job.index];
  const PoolSpec& pool = seen.world.scenario().cluster.pools[spec.pool];
  return any_fault(seen, [&](const FaultRecord& fault, const FaultEffect&) {
    return fault.job == seen.job.index && fault.pool && fault.node >= pool.nodes;
  });
}

bool overlapping_recoveries(const Seen& seen) {
  const auto& recoveries = seen.job.recoveries;
  return std::ranges::adjacent_find(recoveries,
                                    [](const RecoveryStory& first, const RecoveryStory&) {
                                      return !first.running_us.has_value();
                                    }) != recoveries.end();
}

bool on_rank_zero(const Seen& seen) {
  return any_fault(seen, [&](const FaultRecord& fault, const FaultEffect&) {
    return fault.job == seen.job.index && fault.rank == 0;
  });
}

bool head_lost_in_recovery(const Seen& seen) {
  return any_fault(seen, [](const FaultRecord& fault, const FaultEffect& effect) {
    return effect.kind == FaultKind::kHeadCrash && fault.phase && *fault.phase != Phase::kTraining;
  });
}

bool waited_for_nodes(const Seen& seen) {
  return seen.job.phase_count[static_cast<std::size_t>(Phase::kProvisioning)] > 0 ||
         seen.job.phase_count[static_cast<std::size_t>(Phase::kWaitingForCapacity)] > 0;
}

bool began_from_zero(const Seen& seen) {
  return seen.job.launches > 1 && seen.job.committed_count == 0;
}

bool notice_while_saving(const Seen& seen) {
  return any_fault(seen, [](const FaultRecord& fault, const FaultEffect& effect) {
    return effect.kind == FaultKind::kPreemption && effect.notice_us &&
           fault.phase == Phase::kCheckpointing;
  });
}

bool preempted_twice(const Seen& seen) {
  return seen.world.masked()[static_cast<std::size_t>(FaultKind::kPreemption)] > 0;
}

bool one_short(const Seen& seen) {
  return any_charge(seen, [](const policies::BudgetMove& move) {
    return move.limit && move.used == *move.limit - 1;
  });
}

bool at_limit(const Seen& seen) {
  return any_charge(seen, [](const policies::BudgetMove& move) {
    return move.limit && move.used == *move.limit;
  });
}

bool exhausted(const Seen& seen) {
  return any_charge(seen, [](const policies::BudgetMove& move) { return move.exhausted; });
}

bool exempt(const Seen& seen) {
  return any_charge(seen, [](const policies::BudgetMove& move) { return move.exempt; });
}

bool hung_and_answered(const Seen& seen) {
  return any_fault(seen, [](const FaultRecord&, const FaultEffect& effect) {
    return effect.kind == FaultKind::kHang && effect.answers;
  });
}

bool storm_escalated(const Seen& seen) {
  return any_fault(seen,
                   [](const FaultRecord& fault, const FaultEffect&) { return fault.escalated; });
}

bool while_finalizing(const Seen& seen) {
  return any_fault(seen, [](const FaultRecord& fault, const FaultEffect&) {
    return fault.phase == Phase::kFinalizing;
  });
}

/// One of chaos.md 5.5, and how it is told at a run's end.
struct CoveragePoint {
  std::string_view name;
  bool (*holds)(const Seen&);
};

constexpr std::array kPoints{
    CoveragePoint{"C02 fault in the same phase of a recovery twice in a row", same_phase_twice},
    CoveragePoint{"C03 fault on the replacement node", on_replacement},
    CoveragePoint{"C04 fault on rank 0", on_rank_zero},
    CoveragePoint{"C05 head crash outside training", head_lost_in_recovery},
    CoveragePoint{"C06 spares exhausted", waited_for_nodes},
    CoveragePoint{"C09 no checkpoint at all: restart from zero", began_from_zero},
    CoveragePoint{"C11 preemption notice while checkpointing", notice_while_saving},
    CoveragePoint{"C12 preemption of a node already draining or down", preempted_twice},
    CoveragePoint{"C13 fault before the first recovery ends", overlapping_recoveries},
    CoveragePoint{"C14 budget one short of its limit", one_short},
    CoveragePoint{"C14 budget at its limit", at_limit},
    CoveragePoint{"C14 budget exhausted", exhausted},
    CoveragePoint{"C15 non-counting failure", exempt},
    CoveragePoint{"C21 hung but answering", hung_and_answered},
    CoveragePoint{"C22 storm of corrected errors that escalates", storm_escalated},
    CoveragePoint{"C30 failure while finalizing", while_finalizing},
};

constexpr std::size_t kBitsAByte = 8;

}  // namespace

Coverage::Coverage(const Scenario& scenario, std::uint32_t job) : job_(job) {
  for (const CoveragePoint& point : kPoints) {
    names_.emplace_back(point.name);
  }
  first_pair_ = names_.size();
  for (const std::string_view phase : kPhaseNames) {
    for (const FaultEntry& entry : fault_catalogue()) {
      names_.push_back(fmt::format("{} in {}", entry.name, phase));
    }
  }
  first_rule_ = names_.size();
  for (const policies::Rule& rule : make_hosts(scenario)[job].info().rules) {
    names_.push_back(fmt::format("rule {}", rule.id));
  }
}

std::string Coverage::marks_of(const World& world) const {
  std::string marks((names_.size() + kBitsAByte - 1) / kBitsAByte, '\0');
  const auto mark = [&marks](std::size_t number) {
    const unsigned before = static_cast<unsigned char>(marks[number / kBitsAByte]);
    marks[number / kBitsAByte] = static_cast<char>(before | 1U << number % kBitsAByte);
  };
  const Job& job = world.jobs()[job_];
  const Seen seen{world, job};
  for (std::size_t i = 0; i < kPoints.size(); ++i) {
    if (kPoints.at(i).holds(seen)) {
      mark(i);
    }
  }
  for (const FaultRecord& fault : world.faults()) {
    if (fault.fired && fault.phase) {
      mark(first_pair_ + static_cast<std::size_t>(*fault.phase) * kFaultKinds +
           static_cast<std::size_t>(world.effect_of(fault).kind));
    }
  }
  for (std::size_t i = 0; i < job.rules_applied.size(); ++i) {
    if (job.rules_applied[i]) {
      mark(first_rule_ + i);
    }
  }
  return marks;
}

bool Coverage::has(std::string_view marks, std::size_t number) {
  return number / kBitsAByte < marks.size() &&
         (unsigned{static_cast<unsigned char>(marks[number / kBitsAByte])} >> number % kBitsAByte &
          1U) != 0;
}

}  // namespace aftershock::sim
