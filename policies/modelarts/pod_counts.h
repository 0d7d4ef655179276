#pragma once

#include <cstdint>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/pod_commands.h"
#include "policies/api/rank_set.h"
#include "policies/modelarts/config.h"

// MA_SCHEDULE_CNT and MA_PROC_START_CNT of every pod of a job (modelarts.md 2.2).
namespace aftershock::policies::modelarts {

/// The pods of these ranks and their counts. Pods that stand alike are one entry, so that a
/// thousand of them cost no more than one.
struct PodCount {
  RankSet ranks{};
  std::uint32_t schedule = 1;
  std::uint32_t proc_start = 1;
  static constexpr auto fields(auto list) {
    return list(field("ranks", &PodCount::ranks), field("schedule", &PodCount::schedule),
                field("proc_start", &PodCount::proc_start));
  }
  friend bool operator==(const PodCount&, const PodCount&) = default;
};

/// All pods of a job, ordered by what they have.
using PodCounts = std::vector<PodCount>;

/// The boot command runs again in containers that were kept.
void processes_restarted(PodCounts& counts);

/// All pods are made anew.
void rescheduled(PodCounts& counts);

/// The pods of these ranks are made anew, and the boot command runs again in all others.
void pods_recreated(PodCounts& counts, const RankSet& ranks, const Readings& readings);

/// As the pods are given them.
std::vector<PodEnv> env_of(const PodCounts& counts);

}  // namespace aftershock::policies::modelarts
