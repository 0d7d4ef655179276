#include "sim/chaos/matrix_cell.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/fault_catalogue.h"

namespace aftershock::sim {
namespace {

constexpr std::string_view kNotReplaced = "nothing is replaced by a spare";

std::string_view aim_and_target(const FaultFamily& family, MatrixTarget target,
                                const Setting& setting) {
  const bool at_head = target == MatrixTarget::kHead;
  const bool at_storage = target == MatrixTarget::kStorage;
  if (at_head != (family.aim == Aim::kHead)) {
    return at_head ? "it does not strike a head" : "it strikes heads alone";
  }
  if (at_storage != (family.aim == Aim::kSaves)) {
    return at_storage ? "it does not strike storage" : "it strikes what is saved";
  }
  if (at_storage && !setting.storage) {
    return "the job saves nothing to a storage";
  }
  if (target == MatrixTarget::kOther && !setting.other) {
    return "every rank is on the victim's node";
  }
  if (target == MatrixTarget::kRankZero && setting.rank_zero_node == setting.victim_node) {
    return "rank 0 is the victim";
  }
  return {};
}

std::string_view on_victim(const RecoveryPhase& phase, const FaultFamily& family,
                           const Opener& opener) {
  if (opener.kind.empty()) {
    return "nothing has failed yet";
  }
  if (family.aim == Aim::kNode) {
    return opener.takes_node ? "its node is down already" : std::string_view{};
  }
  const bool gone = phase.processes != Processes::kAll && opener.takes_process;
  return gone ? "its process is gone already" : std::string_view{};
}

std::string_view on_replacement(const RecoveryPhase& phase, const Opener& opener,
                                const Setting& setting) {
  if (!setting.spare_node) {
    return "there is no spare";
  }
  if (!opener.takes_node || opener.takes_spare) {
    return kNotReplaced;
  }
  const bool placed = phase.in_recovery &&
                      (phase.processes == Processes::kStarts || phase.processes == Processes::kAll);
  return placed && phase.phase != Phase::kDraining ? std::string_view{} : "nothing is replaced yet";
}

std::string_view on_process(const RecoveryPhase& phase, const FaultFamily& family) {
  if (phase.processes == Processes::kNone) {
    return "the job holds no process then";
  }
  if (phase.processes == Processes::kStops) {
    return "the job's processes are being stopped";
  }
  if (family.needs_waiters && phase.processes == Processes::kLeft) {
    return "what would hang stands still already";
  }
  if (family.needs_waiters && phase.processes == Processes::kStarts) {
    return "no rank waits for another yet";
  }
  return {};
}

std::string_view on_saves(const RecoveryPhase& phase) {
  switch (phase.phase) {
    case Phase::kTraining:
    case Phase::kCheckpointing:
    case Phase::kUploading:
    case Phase::kCommitting:
    case Phase::kCatchingUp:
      return {};
    default:
      return "nothing is saved then";
  }
}

std::string target_of(const FaultFamily& family, MatrixTarget target, const Setting& setting) {
  switch (target) {
    case MatrixTarget::kHead:
      return setting.head;
    case MatrixTarget::kStorage:
      return "job:" + setting.job_name;
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

/// The opener, the phase's instance after it, and none where no opener does; then the reason.
struct Chosen {
  std::uint32_t opener = 0;
  const PhaseInstance* instance = nullptr;
  std::string_view why;
};

Chosen choose(const RecoveryPhase& phase, std::uint32_t row, const FaultFamily& family,
              MatrixTarget target, const Setting& setting, const Survey& survey) {
  Chosen chosen{.why = "the job does not go through this phase"};
  bool reached = false;
  for (std::uint32_t i = 0; i < openers().size(); ++i) {
    const auto& instance = survey[i][row];
    if (!instance) {
      continue;
    }
    std::string_view why = why_not(phase, family, target, openers()[i], setting);
    // Whether anything is left depends on what broke, and on the policy.
    if (why.empty() && family.aim == Aim::kProcess && phase.processes == Processes::kLeft &&
        !instance->processes) {
      why = "the job holds no process then";
    }
    if (why.empty()) {
      return {i, &*instance, {}};
    }
    // What an opener that replaces nothing keeps from being says least.
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
                         const Opener& opener, const Setting& setting) {
  if (const auto why = aim_and_target(family, target, setting); !why.empty()) {
    return why;
  }
  if (target == MatrixTarget::kVictim) {
    if (const auto why = on_victim(phase, family, opener); !why.empty()) {
      return why;
    }
  }
  if (target == MatrixTarget::kReplacement) {
    if (const auto why = on_replacement(phase, opener, setting); !why.empty()) {
      return why;
    }
  }
  if (family.aim == Aim::kHead && phase.phase == Phase::kControllerDown) {
    return "the head is down already";
  }
  if (family.aim == Aim::kSaves) {
    return on_saves(phase);
  }
  return family.aim == Aim::kProcess ? on_process(phase, family) : std::string_view{};
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
            cell.opener = chosen.opener;
            cell.nth = chosen.instance->nth;
            cell.offset_us = cell.offset == MatrixOffset::kEntry    ? 0
                             : cell.offset == MatrixOffset::kMiddle ? length_us / 2
                                                                    : length_us - 1;
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

std::string cell_scenario(const nlohmann::ordered_json& bare, const Setting& setting,
                          std::int64_t opened_us, const MatrixCell& cell) {
  const FaultFamily& family = fault_families()[cell.column];
  auto faults = opener_faults(openers()[cell.opener], setting, opened_us);
  const std::string_view members = setting.npu ? family.npu : family.gpu;
  nlohmann::ordered_json fault{{"id", "second"}, {"kind", name_of(family.kind)}};
  fault["target"] = target_of(family, cell.target, setting);
  fault.update(nlohmann::ordered_json::parse("{" + std::string(members) + "}"));
  fault["when"] = {{"enter", name_of(recovery_phases()[cell.row].phase)},
                   {"job", setting.job_name},
                   {"nth", cell.nth},
                   {"offset", fmt::format("{}us", cell.offset_us)}};
  fault["require"] = "fired";
  faults.push_back(std::move(fault));
  nlohmann::ordered_json scenario = bare;
  scenario["faults"] = std::move(faults);
  return scenario.dump();
}

std::string label_of(const MatrixCell& cell) {
  const RecoveryPhase& phase = recovery_phases()[cell.row];
  const FaultFamily& family = fault_families()[cell.column];
  return fmt::format("{} {}, {} {}, {}, {}", phase.id, name_of(phase.phase), family.id, family.name,
                     name_of(cell.target), name_of(cell.offset));
}

}  // namespace aftershock::sim
