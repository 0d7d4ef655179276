#include "sim/chaos/matrix_cell.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::chaos {
namespace {

constexpr std::string_view kNotReplaced = "nothing is replaced by a spare";

std::string_view rack_of_target(MatrixTarget target, const Setting& setting) {
  return target == MatrixTarget::kOther      ? setting.other_rack
         : target == MatrixTarget::kRankZero ? setting.rank_zero_rack
         : target == MatrixTarget::kVictim   ? setting.victim_rack
                                             : *setting.spare_rack;
}

/// The targets that each aim can strike; the reason why it cannot strike this one, or an empty
/// text.
std::string_view wrong_target(Aim aim, MatrixTarget target) {
  const bool at_head = target == MatrixTarget::kHead;
  const bool at_storage = target == MatrixTarget::kStorage;
  switch (aim) {
    case Aim::kHead:
      return at_head ? "" : "it strikes heads alone";
    case Aim::kMessages:
      return at_head ? "" : "it strikes what a controller is told";
    case Aim::kSaves:
    case Aim::kCommitted:
      return at_storage ? "" : "it strikes what is saved";
    case Aim::kStorage:
      return at_storage ? "" : "it strikes storage alone";
    case Aim::kReplacement:
      return target == MatrixTarget::kReplacement ? "" : "it strikes who takes another's place";
    case Aim::kProcess:
    case Aim::kNode:
    case Aim::kRack:
      break;
  }
  return at_head ? "it does not strike a head" : at_storage ? "it does not strike storage" : "";
}

std::string_view aim_and_target(const FaultFamily& family, MatrixTarget target,
                                const FirstFault& first_fault, const Setting& setting) {
  if (const auto why = wrong_target(family.aim, target); !why.empty()) {
    return why;
  }
  if (target == MatrixTarget::kStorage && !setting.storage) {
    return "the job saves nothing to a storage";
  }
  if (target == MatrixTarget::kOther && !setting.other) {
    return "every rank is on the victim's node";
  }
  // Before anything has failed nobody is the victim yet.
  const bool victim_there = !first_fault.kind.empty();
  if (target == MatrixTarget::kRankZero && victim_there &&
      setting.rank_zero_node == setting.victim_node) {
    return "rank 0 is the victim";
  }
  if (family.needs_watcher && !setting.watches_nodes) {
    return "the policy does not hear what devices report";
  }
  const bool placed = target != MatrixTarget::kReplacement || setting.spare_rack;
  const bool first = target == MatrixTarget::kRankZero && !victim_there;
  if (family.aim == Aim::kRack && target != MatrixTarget::kVictim && !first && placed &&
      rack_of_target(target, setting) == setting.victim_rack) {
    return "it is in the victim's rack";
  }
  return {};
}

std::string_view on_victim(const RecoveryPhase& phase, const FaultFamily& family,
                           const FirstFault& first_fault, const Setting& setting) {
  if (first_fault.kind.empty()) {
    return "nothing has failed yet";
  }
  if (family.aim == Aim::kNode) {
    return first_fault.takes_node ? "its node is down already" : std::string_view{};
  }
  if (family.aim == Aim::kRack) {
    return first_fault.takes_node && setting.lone_rack ? "its rack is down already"
                                                       : std::string_view{};
  }
  const bool gone = phase.processes != Processes::kAll && first_fault.takes_process;
  return gone ? "its process is gone already" : std::string_view{};
}

// A node that takes a place is struck once it has one, a machine yet to be given out before that.
std::string_view on_replacement(const RecoveryPhase& phase, const FaultFamily& family,
                                const FirstFault& first_fault, const Setting& setting) {
  if (!setting.spare_node) {
    return "there is no spare";
  }
  if (first_fault.kind.empty()) {
    return "nothing has failed yet";
  }
  const bool machines = family.aim == Aim::kReplacement;
  if (family.kind == scenario::FaultKind::kBadReplacement && !setting.gives_machines) {
    return "its pool gives out no machines in place of others";
  }
  if (!first_fault.takes_node || (first_fault.takes_spare && !machines)) {
    return kNotReplaced;
  }
  if (first_fault.denied && family.kind == scenario::FaultKind::kCapacityDenial) {
    return "nobody has machines already";
  }
  const bool placed = phase.in_recovery &&
                      (phase.processes == Processes::kStarts || phase.processes == Processes::kAll);
  if (machines) {
    return placed && phase.phase != scenario::Phase::kDraining
               ? "its replacement is in place already"
               : std::string_view{};
  }
  return placed && phase.phase != scenario::Phase::kDraining ? std::string_view{}
                                                             : "nothing is replaced yet";
}

std::string_view on_process(const RecoveryPhase& phase, const FaultFamily& family) {
  if (phase.processes == Processes::kNone) {
    return "the job holds no process then";
  }
  if (phase.processes == Processes::kStops) {
    return "the job's processes are being stopped";
  }
  if (family.needs_waiters && phase.processes == Processes::kLeft) {
    return "a process that would hang stands still already";
  }
  if (family.needs_waiters && phase.processes == Processes::kStarts) {
    return "no rank waits for another yet";
  }
  return {};
}

std::string_view on_saves(const RecoveryPhase& phase) {
  switch (phase.phase) {
    case scenario::Phase::kTraining:
    case scenario::Phase::kCheckpointing:
    case scenario::Phase::kUploading:
    case scenario::Phase::kCommitting:
    case scenario::Phase::kCatchingUp:
      return {};
    default:
      return "nothing is saved then";
  }
}

std::string target_of(const FaultFamily& family, MatrixTarget target, const Setting& setting) {
  if (family.aim == Aim::kRack) {
    return std::string(rack_of_target(target, setting));
  }
  if (family.aim == Aim::kReplacement) {
    return setting.pool;
  }
  switch (target) {
    case MatrixTarget::kHead:
      return family.aim == Aim::kHead ? setting.head : "job:" + setting.job_name;
    case MatrixTarget::kStorage:
      return family.aim == Aim::kStorage ? "storage:" + *setting.storage
                                         : "job:" + setting.job_name;
    case MatrixTarget::kVictim:
      return family.aim == Aim::kNode ? setting.victim_node : rank_target(setting, setting.victim);
    case MatrixTarget::kOther:
      return family.aim == Aim::kNode ? setting.other_node : rank_target(setting, *setting.other);
    case MatrixTarget::kRankZero:
      return family.aim == Aim::kNode ? setting.rank_zero_node : rank_target(setting, 0);
    case MatrixTarget::kReplacement:
      return family.aim == Aim::kNode ? *setting.spare_node : rank_target(setting, setting.victim);
  }
  return {};
}

/// The first fault, the phase's instance after it, and none where no first fault does; then the
/// reason.
struct Chosen {
  std::uint32_t first_fault = 0;
  const PhaseInstance* instance = nullptr;
  std::string_view why;
};

Chosen choose(const RecoveryPhase& phase, std::uint32_t row, const FaultFamily& family,
              MatrixTarget target, const Setting& setting, const Survey& survey) {
  Chosen chosen{.why = "the job does not go through this phase"};
  bool reached = false;
  for (std::uint32_t i = 0; i < first_faults().size(); ++i) {
    const auto& instance = survey[i][row];
    if (!instance) {
      continue;
    }
    std::string_view why = why_not(phase, family, target, first_faults()[i], setting);
    if (why.empty()) {
      why = why_not_then(phase, family, *instance);
    }
    if (why.empty()) {
      return {i, &*instance, {}};
    }
    // The reason that a first fault replaces nothing gives way to any other: it says least.
    if (!reached || chosen.why == kNotReplaced) {
      chosen.why = why;
    }
    reached = true;
  }
  return chosen;
}

}  // namespace

std::string_view name_of(MatrixOffset offset) {
  constexpr std::array<std::string_view, kMatrixOffsets> kNames{"on entry", "in the middle",
                                                                "just before the end"};
  return kNames[static_cast<std::size_t>(offset)];
}

std::string_view why_not(const RecoveryPhase& phase, const FaultFamily& family, MatrixTarget target,
                         const FirstFault& first_fault, const Setting& setting) {
  if (const auto why = aim_and_target(family, target, first_fault, setting); !why.empty()) {
    return why;
  }
  if (target == MatrixTarget::kVictim) {
    if (const auto why = on_victim(phase, family, first_fault, setting); !why.empty()) {
      return why;
    }
  }
  if (target == MatrixTarget::kReplacement) {
    if (const auto why = on_replacement(phase, family, first_fault, setting); !why.empty()) {
      return why;
    }
  }
  if (family.aim == Aim::kHead && phase.phase == scenario::Phase::kControllerDown) {
    return "the head is down already";
  }
  if (family.aim == Aim::kSaves) {
    return on_saves(phase);
  }
  return family.aim == Aim::kProcess ? on_process(phase, family) : std::string_view{};
}

// Whether anything is left depends on what broke, and on the policy.
std::string_view why_not_then(const RecoveryPhase& phase, const FaultFamily& family,
                              const PhaseInstance& instance) {
  // It would wait for a new controller, and so take time.
  if (phase.phase == scenario::Phase::kControllerDown && instance.length_us == 0) {
    return "the job has ended by then: its head does not come back";
  }
  if (family.aim == Aim::kProcess && phase.processes == Processes::kLeft && !instance.processes) {
    return "the job holds no process then";
  }
  if (family.aim == Aim::kCommitted && !instance.committed) {
    return "nothing is committed yet";
  }
  if (family.kind == scenario::FaultKind::kStaleMessage && !instance.later_attempt) {
    return "no attempt came before, or nobody is there to hear of it";
  }
  return family.needs_look && !instance.hangs_looked_for ? "nobody looks for hangs then"
                                                         : std::string_view{};
}

std::vector<MatrixCell> matrix_cells(const Setting& setting, const Survey& survey) {
  std::vector<MatrixCell> cells;
  for (std::uint32_t row = 0; row < recovery_phases().size(); ++row) {
    for (std::uint32_t column = 0; column < fault_families().size(); ++column) {
      for (std::size_t target = 0; target < kMatrixTargets; ++target) {
        MatrixCell cell{row, column, static_cast<MatrixTarget>(target)};
        const Chosen chosen = choose(recovery_phases()[row], row, fault_families()[column],
                                     cell.target, setting, survey);
        for (std::size_t offset = 0; offset < kMatrixOffsets; ++offset) {
          cell.offset = static_cast<MatrixOffset>(offset);
          cell.excluded = chosen.why;
          if (chosen.instance != nullptr) {
            const std::int64_t length_us = chosen.instance->length_us;
            cell.first_fault = chosen.first_fault;
            cell.nth = chosen.instance->nth;
            cell.offset_us = cell.offset == MatrixOffset::kEntry    ? 0
                             : cell.offset == MatrixOffset::kMiddle ? length_us / 2
                                                                    : length_us - 1;
            cell.strikes_us = chosen.instance->began_us + cell.offset_us;
            cell.momentary = length_us == 0;
            constexpr std::int64_t kShortest = 4;  // three moments that are not one
            if (cell.offset != MatrixOffset::kEntry && length_us < kShortest) {
              cell.excluded = "the phase is over as soon as it begins";
            }
          }
          cells.push_back(cell);
        }
      }
    }
  }
  return cells;
}

nlohmann::ordered_json fault_of(const Setting& setting, const MatrixCell& cell,
                                std::string_view id) {
  const FaultFamily& family = fault_families()[cell.column];
  const std::string_view members = setting.npu ? family.npu : family.gpu;
  nlohmann::ordered_json fault{{"id", id}, {"kind", scenario::name_of(family.kind)}};
  fault["target"] = target_of(family, cell.target, setting);
  fault.update(policies::json_from_text<nlohmann::ordered_json>("{" + std::string(members) + "}"));
  fault["when"] = {{"enter", scenario::name_of(recovery_phases()[cell.row].phase)},
                   {"job", setting.job_name},
                   {"nth", cell.nth},
                   {"offset", fmt::format("{}us", cell.offset_us)}};
  fault["require"] = "fired";
  return fault;
}

std::string cell_scenario(const nlohmann::ordered_json& bare, const Setting& setting,
                          std::int64_t opened_us, const MatrixCell& cell) {
  nlohmann::ordered_json scenario = bare;
  scenario["faults"] = first_fault_list(first_faults()[cell.first_fault], setting, opened_us);
  scenario["faults"].push_back(fault_of(setting, cell, "second"));
  return policies::text_from_json(scenario);
}

std::string label_of(const MatrixCell& cell) {
  const RecoveryPhase& phase = recovery_phases()[cell.row];
  const FaultFamily& family = fault_families()[cell.column];
  return fmt::format("{} {}, {} {}, {}, {}", phase.id, scenario::name_of(phase.phase), family.id,
                     family.name, name_of(cell.target), name_of(cell.offset));
}

}  // namespace aftershock::sim::chaos
