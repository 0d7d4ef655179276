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
  FaultKind kind;
  unsigned backends;
  std::string_view otherwise;  // of the rest
};

constexpr auto kAbilities = std::to_array<Ability>({
    {FaultKind::kWorkerCrash, kAll, {}},
    {FaultKind::kNodeCrash, kAll, {}},
    {FaultKind::kHang, kAll, {}},
    {FaultKind::kPolicyCrash, kAll, {}},
    {FaultKind::kFullDisk, kAll, {}},
    {FaultKind::kUserInterrupt, kAll, {}},
    {FaultKind::kPartition, kAll, {}},
    {FaultKind::kOneWayPartition, kAll, {}},
    {FaultKind::kPreemption, kAll, {}},
    {FaultKind::kTornCheckpoint, kAgents, "Ray's own code writes its checkpoints"},
    {FaultKind::kCorruptCheckpoint, kOnRay, "its script reads a checkpoint as it was written"},
    {FaultKind::kTornSnapshot, kOnRay, "its agents keep no snapshot"},
    {FaultKind::kHeadCrash, kOnRay, "its agents have no head"},
});

bool is_notice(const FaultEffect& effect) { return effect.notice_us.has_value(); }

}  // namespace

std::string_view name_of(Backend backend) { return row_of(backend).name; }

std::string_view family_of(Backend backend) { return row_of(backend).family; }

std::optional<Backend> backend_named(std::string_view name) {
  const auto* const found =
      std::ranges::find(kBackends, name, [](Backend backend) { return name_of(backend); });
  return found == kBackends.end() ? std::nullopt : std::optional(*found);
}

std::string_view unable(Backend backend, const FaultEffect& effect, TargetKind target) {
  const auto* const able = std::ranges::find(kAbilities, effect.kind, &Ability::kind);
  if (able == kAbilities.end()) {
    return "real processes on one machine have nothing that it could be done to";
  }
  if ((able->backends & bit(backend)) == 0) {
    return able->otherwise;
  }
  if (target == TargetKind::kRack || target == TargetKind::kPowerDomain ||
      target == TargetKind::kPool || target == TargetKind::kSwitch) {
    return "it strikes one node, rank or head at a time";
  }
  if (effect.until_repaired ||
      (effect.lasts && !std::holds_alternative<Distribution::Constant>(effect.lasts->shape))) {
    return "its length is drawn; expected a duration";
  }
  if (effect.kind == FaultKind::kPreemption && backend != Backend::kRay && is_notice(effect)) {
    return "nobody tells its agents of a notice";
  }
  if (effect.kind == FaultKind::kWorkerCrash && effect.manner == CrashManner::kErrorWithoutExit) {
    return "the script of a live run ends with its error";
  }
  return {};
}

std::string_view unable_to_wait(Phase phase) {
  switch (phase) {
    case Phase::kLaunching:
    case Phase::kRestoring:
    case Phase::kWarmingUp:
    case Phase::kTraining:
    case Phase::kCheckpointing:
    case Phase::kRendezvous:
      return {};
    default:
      return "the script of a live run does not tell it";
  }
}

}  // namespace aftershock::sim::live
