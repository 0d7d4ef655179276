#include "sim/live/backend.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace aftershock::sim::live {

namespace {

struct BackendRow {
  std::string_view name;
  std::string_view family;
};

constexpr std::array<BackendRow, kBackends.size()> kRows{{
    {"torchrun", "torchrun"},
    {"ray", "ray_train"},
    {"nvrx", "nvrx"},
}};

const BackendRow& row_of(Backend backend) { return kRows[static_cast<std::size_t>(backend)]; }

constexpr unsigned bit(Backend backend) { return 1U << static_cast<unsigned>(backend); }
constexpr unsigned kAgents = bit(Backend::kTorchrun) | bit(Backend::kNvrx);
constexpr unsigned kOnRay = bit(Backend::kRay);
constexpr unsigned kAll = kAgents | kOnRay;

// A kind of fault and the backends that can do it.
struct Ability {
  scenario::FaultKind kind;
  unsigned backends;
  std::string_view otherwise;  // of the rest
};

constexpr auto kAbilities = std::to_array<Ability>({
    {scenario::FaultKind::kWorkerCrash, kAll, {}},
    {scenario::FaultKind::kNodeCrash, kAll, {}},
    {scenario::FaultKind::kHang, kAll, {}},
    {scenario::FaultKind::kPolicyCrash, kAll, {}},
    {scenario::FaultKind::kFullDisk, kAll, {}},
    {scenario::FaultKind::kUserInterrupt, kAll, {}},
    {scenario::FaultKind::kPartition, kAll, {}},
    {scenario::FaultKind::kOneWayPartition, kAll, {}},
    {scenario::FaultKind::kPreemption, kAll, {}},
    {scenario::FaultKind::kTornCheckpoint, kAgents, "Ray's own code writes its checkpoints"},
    {scenario::FaultKind::kCorruptCheckpoint, kOnRay,
     "its script reads a checkpoint as it was written"},
    {scenario::FaultKind::kTornSnapshot, kOnRay, "its agents keep no snapshot"},
    {scenario::FaultKind::kHeadCrash, kOnRay, "its agents have no head"},
});

bool is_notice(const scenario::FaultEffect& effect) { return effect.notice_us.has_value(); }

}  // namespace

std::string_view name_of(Backend backend) { return row_of(backend).name; }

std::string_view family_of(Backend backend) { return row_of(backend).family; }

std::optional<Backend> backend_named(std::string_view name) {
  const auto* const found =
      std::ranges::find(kBackends, name, [](Backend backend) { return name_of(backend); });
  return found == kBackends.end() ? std::nullopt : std::optional(*found);
}

std::string_view unable(Backend backend, const scenario::FaultEffect& effect,
                        scenario::TargetKind target) {
  const auto* const able = std::ranges::find(kAbilities, effect.kind, &Ability::kind);
  if (able == kAbilities.end()) {
    return "real processes on one machine have nothing that it could be done to";
  }
  if ((able->backends & bit(backend)) == 0) {
    return able->otherwise;
  }
  if (target == scenario::TargetKind::kRack || target == scenario::TargetKind::kPowerDomain ||
      target == scenario::TargetKind::kPool || target == scenario::TargetKind::kSwitch) {
    return "it strikes one node, rank or head at a time";
  }
  if (effect.until_repaired ||
      (effect.lasts &&
       !std::holds_alternative<scenario::Distribution::Constant>(effect.lasts->shape))) {
    return "its length is drawn; expected a duration";
  }
  if (effect.kind == scenario::FaultKind::kPreemption && backend != Backend::kRay &&
      is_notice(effect)) {
    return "nobody tells its agents of a notice";
  }
  if (effect.kind == scenario::FaultKind::kWorkerCrash &&
      effect.manner == scenario::CrashManner::kErrorWithoutExit) {
    return "the script of a live run ends with its error";
  }
  return {};
}

std::string_view unable_to_wait(scenario::Phase phase) {
  switch (phase) {
    case scenario::Phase::kLaunching:
    case scenario::Phase::kRestoring:
    case scenario::Phase::kWarmingUp:
    case scenario::Phase::kTraining:
    case scenario::Phase::kCheckpointing:
    case scenario::Phase::kRendezvous:
      return {};
    default:
      return "the script of a live run does not tell it";
  }
}

}  // namespace aftershock::sim::live
