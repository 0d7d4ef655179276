#include "sim/chaos/coverage.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "sim/chaos/recovery_phase.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/simulate/simulate.h"
#include "sim/world/world.h"

namespace aftershock::sim::chaos {
namespace {

/// A run at its end, and the job that is searched.
struct Seen {
  const world::World& world;
  const workload::Job& job;
};

bool any_fault(const Seen& seen, const auto& holds) {
  return std::ranges::any_of(seen.world.faults.records(), [&](const faults::FaultRecord& fault) {
    return fault.fired && holds(fault, faults::effect_of(seen.world.scenario(), fault));
  });
}

bool any_charge(const Seen& seen, const auto& holds) {
  return std::ranges::any_of(seen.job.control.charges, [&](const workload::ChargeRecord& charge) {
    return holds(charge.move);
  });
}

bool same_phase_twice(const Seen& seen) {
  const auto& faults = seen.world.faults.records();
  for (std::size_t i = 1; i < faults.size(); ++i) {
    if (faults[i].fired && faults[i - 1].fired && faults[i].phase &&
        faults[i].phase == faults[i - 1].phase && *faults[i].phase != scenario::Phase::kTraining) {
      return true;
    }
  }
  return false;
}

bool on_replacement(const Seen& seen) {
  const scenario::JobSpec& spec = seen.world.scenario().jobs[seen.job.index];
  const scenario::PoolSpec& pool = seen.world.scenario().cluster.pools[spec.pool];
  return any_fault(seen, [&](const faults::FaultRecord& fault, const scenario::FaultEffect&) {
    return fault.job == seen.job.index && fault.pool && fault.node >= pool.nodes;
  });
}

bool overlapping_recoveries(const Seen& seen) {
  const auto& recoveries = seen.job.account.recoveries;
  return std::ranges::adjacent_find(recoveries,
                                    [](const workload::Recovery& first, const workload::Recovery&) {
                                      return !first.running_us.has_value();
                                    }) != recoveries.end();
}

bool on_rank_zero(const Seen& seen) {
  return any_fault(seen, [&](const faults::FaultRecord& fault, const scenario::FaultEffect&) {
    return fault.job == seen.job.index && fault.rank == 0;
  });
}

bool head_lost_in_recovery(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord& fault, const scenario::FaultEffect& effect) {
    return effect.kind == scenario::FaultKind::kHeadCrash && fault.phase &&
           *fault.phase != scenario::Phase::kTraining;
  });
}

bool waited_for_nodes(const Seen& seen) {
  return seen.job.phase_count[static_cast<std::size_t>(scenario::Phase::kProvisioning)] > 0 ||
         seen.job.phase_count[static_cast<std::size_t>(scenario::Phase::kWaitingForCapacity)] > 0;
}

bool began_from_zero(const Seen& seen) {
  return seen.job.account.launches > 1 && seen.job.saved.committed_count == 0;
}

bool notice_while_saving(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord& fault, const scenario::FaultEffect& effect) {
    return effect.kind == scenario::FaultKind::kPreemption && effect.notice_us &&
           fault.phase == scenario::Phase::kCheckpointing;
  });
}

bool preempted_twice(const Seen& seen) {
  return seen.world.faults.masked()[static_cast<std::size_t>(scenario::FaultKind::kPreemption)] > 0;
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
  return any_fault(seen, [](const faults::FaultRecord&, const scenario::FaultEffect& effect) {
    return effect.kind == scenario::FaultKind::kHang && effect.answers;
  });
}

bool storm_escalated(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord& fault, const scenario::FaultEffect&) {
    return fault.escalated;
  });
}

bool while_finalizing(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord& fault, const scenario::FaultEffect&) {
    return fault.phase == scenario::Phase::kFinalizing;
  });
}

/// A fault of that kind struck something.
template <scenario::FaultKind kKind>
bool struck(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord&, const scenario::FaultEffect& effect) {
    return effect.kind == kKind;
  });
}

std::ptrdiff_t spoilt_checkpoints(const Seen& seen) {
  return std::ranges::count_if(seen.world.faults.records(), [&](const faults::FaultRecord& fault) {
    const scenario::FaultKind kind = faults::effect_of(seen.world.scenario(), fault).kind;
    return fault.fired && (kind == scenario::FaultKind::kTornCheckpoint ||
                           kind == scenario::FaultKind::kCorruptCheckpoint);
  });
}

bool newest_spoilt(const Seen& seen) { return spoilt_checkpoints(seen) > 0; }
bool two_spoilt(const Seen& seen) { return spoilt_checkpoints(seen) > 1; }

template <scenario::CutDirection kDirection>
bool cut_one_way(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord&, const scenario::FaultEffect& effect) {
    return effect.kind == scenario::FaultKind::kOneWayPartition &&
           effect.network.direction == kDirection;
  });
}

bool domain_lost(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord& fault, const scenario::FaultEffect&) {
    return fault.nodes > 1;
  });
}

/// It was through that moment.
template <world::RareMoment kMoment>
bool been(const Seen& seen) {
  return seen.world.moments.has(kMoment);
}

bool stopped_in_recovery(const Seen& seen) {
  return any_fault(seen, [](const faults::FaultRecord& fault, const scenario::FaultEffect& effect) {
    const auto rows = recovery_phases();
    return effect.kind == scenario::FaultKind::kUserInterrupt &&
           std::ranges::any_of(rows, [&](const RecoveryPhase& row) {
             return row.in_recovery && fault.phase == row.phase;
           });
  });
}

bool controller_came_back(const Seen& seen) { return seen.job.control.drivers > 1; }

// It gave up because it was ended too often in a row, whatever its budget.
bool storm_limited(const Seen& seen) {
  const policies::PolicyInfo& info = seen.job.control.host.info();
  return std::ranges::any_of(info.endings, [&](const policies::Ending& ending) {
    return (ending.why == policies::EndReason::kUnconditionalLimit ||
            ending.why == policies::EndReason::kHangLimit) &&
           seen.job.control.rules_applied[ending.rule];
  });
}

/// One of chaos.md 5.5, and how it is told at a run's end.
struct CoveragePoint {
  std::string_view name;
  bool (*holds)(const Seen&);
  /// Of one that not every search can come to: what it takes, or why nothing does.
  std::string_view needs = "";
};

constexpr std::array kPoints{
    CoveragePoint{"C02 fault in the same phase of a recovery twice in a row", same_phase_twice},
    CoveragePoint{"C03 fault on the replacement node", on_replacement},
    CoveragePoint{"C04 fault on rank 0", on_rank_zero},
    CoveragePoint{"C05 head crash outside training", head_lost_in_recovery},
    CoveragePoint{"C06 spares exhausted", waited_for_nodes},
    CoveragePoint{"C07 newest checkpoint torn or corrupt", newest_spoilt},
    CoveragePoint{"C08 two checkpoints torn or corrupt", two_spoilt},
    CoveragePoint{"C09 no checkpoint at all: restart from zero", began_from_zero},
    CoveragePoint{"C10 two wait for the same nodes", been<world::RareMoment::kTwoWait>,
                  "two jobs in one pool, as in scenarios/modelarts/spare_by_priority.json"},
    CoveragePoint{"C11 preemption notice while checkpointing", notice_while_saving},
    CoveragePoint{"C12 preemption of a node already draining or down", preempted_twice},
    CoveragePoint{"C13 fault before the first recovery ends", overlapping_recoveries},
    CoveragePoint{"C14 budget one short of its limit", one_short},
    CoveragePoint{"C14 budget at its limit", at_limit},
    CoveragePoint{"C14 budget exhausted", exhausted},
    CoveragePoint{"C15 non-counting failure", exempt},
    CoveragePoint{"C16 backoff at its cap", been<world::RareMoment::kBackoffCapped>,
                  "a policy that backs off, as in scenarios/job/default_backoff_limit.json"},
    CoveragePoint{"C17 timer in the microsecond of what it waits for",
                  been<world::RareMoment::kTimerTies>,
                  "a policy that sets timers, as in scenarios/ray/elastic_4_32.json"},
    CoveragePoint{"C18 message of an earlier attempt", struck<scenario::FaultKind::kStaleMessage>},
    CoveragePoint{"C19 partition outwards alone", cut_one_way<scenario::CutDirection::kOutwards>},
    CoveragePoint{"C19 partition inwards alone", cut_one_way<scenario::CutDirection::kInwards>},
    CoveragePoint{"C20 partition heals during teardown", been<world::RareMoment::kHealsInTeardown>},
    CoveragePoint{"C21 slow but not hung", struck<scenario::FaultKind::kStraggler>},
    CoveragePoint{"C21 hung but answering", hung_and_answered},
    CoveragePoint{"C22 storm of corrected errors that escalates", storm_escalated},
    CoveragePoint{"C23 rack lost at once", domain_lost},
    CoveragePoint{"C24 healthy node or job accused", struck<scenario::FaultKind::kFalseAlarm>},
    CoveragePoint{"C25 replacement that is bad too", struck<scenario::FaultKind::kBadReplacement>},
    CoveragePoint{"C26 shrink, then grow", been<world::RareMoment::kGrewAgain>,
                  "an elastic job, as in scenarios/ray/elastic_4_32.json"},
    CoveragePoint{"C27 shrink below the least size refused", been<world::RareMoment::kTooSmall>,
                  "an elastic job, as in scenarios/ray/elastic_4_32.json"},
    CoveragePoint{"C28 storage slow while saving", struck<scenario::FaultKind::kSlowStorage>},
    CoveragePoint{"C29 save and restore of different attempts at once",
                  been<world::RareMoment::kSavesWhileRestoring>,
                  "a cut between the head and all workers that outlasts a restart; one node is cut "
                  "off here"},
    CoveragePoint{"C30 failure while finalizing", while_finalizing},
    CoveragePoint{"C31 stop asked for in a recovery", stopped_in_recovery},
    CoveragePoint{"C32 controller lost and started again", controller_came_back,
                  "a head that is restarted, and a controller that runs on it"},
    CoveragePoint{"C33 stop behind a cut that was carried out",
                  been<world::RareMoment::kStopUnanswered>},
    CoveragePoint{"C33 stop behind a cut that nobody heard", been<world::RareMoment::kStopUnheard>},
    CoveragePoint{"C34 too many in a row, whatever the budget", storm_limited,
                  "ModelArts, as in scenarios/ring16_modelarts.json"},
    CoveragePoint{"C36 nodes come after a start was given up",
                  been<world::RareMoment::kLateCapacity>,
                  "a policy that gives a start up for want of nodes"},
};

constexpr std::array kUnreachable{
    UnreachablePoint{"C35 clock skew larger than the heartbeat interval",
                     "who waits for a heartbeat counts from when it came, by a clock of its own: "
                     "no job's recovery compares a time that one node wrote with another's",
                     "Kubernetes, node_lifecycle_controller.go: a renewed lease sets "
                     "probeTimestamp to the controller's now(); Ray, gcs_health_check_manager.cc: "
                     "the head asks, and times the answer itself; MindCluster has Kubernetes' "
                     "(modelarts.md 6.3)"},
};

constexpr std::size_t kBitsAByte = 8;

}  // namespace

std::span<const UnreachablePoint> unreachable_points() { return kUnreachable; }

Coverage::Coverage(const scenario::Scenario& scenario, std::uint32_t job) : job_(job) {
  for (const CoveragePoint& point : kPoints) {
    names_.emplace_back(point.name);
    needs_.emplace_back(point.needs);
  }
  first_pair_ = names_.size();
  for (const std::string_view phase : scenario::kPhaseNames) {
    for (const scenario::FaultEntry& entry : scenario::fault_catalogue()) {
      names_.push_back(fmt::format("{} in {}", entry.name, phase));
    }
  }
  first_rule_ = names_.size();
  for (const policies::Rule& rule : simulate::make_hosts(scenario)[job].info().rules) {
    names_.push_back(fmt::format("rule {}", rule.id));
  }
}

std::string no_marks(std::size_t count) {
  return std::string((count + kBitsAByte - 1) / kBitsAByte, '\0');
}

void set_mark(std::string& marks, std::size_t number) {
  const unsigned before = static_cast<unsigned char>(marks[number / kBitsAByte]);
  marks[number / kBitsAByte] = static_cast<char>(before | 1U << number % kBitsAByte);
}

std::vector<std::size_t> marked_in(std::string_view marks) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (unsigned left = static_cast<unsigned char>(marks[i]); left != 0; left &= left - 1) {
      numbers.push_back(i * kBitsAByte + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  return numbers;
}

std::string Coverage::marks_of(const world::World& world) const {
  std::string marks = no_marks(names_.size());
  const auto mark = [&marks](std::size_t number) { set_mark(marks, number); };
  const workload::Job& job = world.jobs[job_];
  const Seen seen{world, job};
  for (std::size_t i = 0; i < kPoints.size(); ++i) {
    if (kPoints.at(i).holds(seen)) {
      mark(i);
    }
  }
  for (const faults::FaultRecord& fault : world.faults.records()) {
    if (fault.fired && fault.phase) {
      mark(first_pair_ + static_cast<std::size_t>(*fault.phase) * scenario::kFaultKinds +
           static_cast<std::size_t>(faults::effect_of(world.scenario(), fault).kind));
    }
  }
  for (std::size_t i = 0; i < job.control.rules_applied.size(); ++i) {
    if (job.control.rules_applied[i]) {
      mark(first_rule_ + i);
    }
  }
  return marks;
}

}  // namespace aftershock::sim::chaos
