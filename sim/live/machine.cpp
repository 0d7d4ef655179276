#include "sim/live/machine.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/live/driver.h"
#include "sim/scenario/faults/fault_catalogue.h"

namespace aftershock::sim::live {

namespace {

// Cut links are those of a network of the run's own, and a full disk is a file system of its own.
constexpr auto kOfNamespaces =
    std::to_array({scenario::FaultKind::kPartition, scenario::FaultKind::kOneWayPartition,
                   scenario::FaultKind::kFullDisk});

}  // namespace

Means means_here() {
  std::error_code ignored;
  const std::string version_1 = "/sys/fs/cgroup/memory";
  const std::string groups =
      std::filesystem::is_directory(version_1, ignored) ? version_1 : "/sys/fs/cgroup";
  return {.namespaces = may_make_namespaces(),
          .memory_cgroups = ::access(groups.c_str(), W_OK) == 0};
}

std::vector<Refusal> beyond_means(const scenario::Scenario& scenario, const Means& means) {
  std::vector<Refusal> refused;
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const scenario::FaultEffect& effect = scenario.faults[i].effects.front().effect;
    if (!means.namespaces && std::ranges::find(kOfNamespaces, effect.kind) != kOfNamespaces.end()) {
      refused.push_back({fmt::format("/faults/{}/kind", i),
                         fmt::format("a {} needs namespaces of its own, which cannot be made here; "
                                     "expected root and the program unshare",
                                     scenario::name_of(effect.kind))});
    }
    if (!means.memory_cgroups && effect.kind == scenario::FaultKind::kWorkerCrash &&
        effect.manner == scenario::CrashManner::kOutOfMemory) {
      refused.push_back({fmt::format("/faults/{}/how", i),
                         "memory runs out in a memory cgroup, and none can be made here"});
    }
  }
  return refused;
}

}  // namespace aftershock::sim::live
