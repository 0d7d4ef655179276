#include "policies/modelarts/pod_counts.h"

#include <algorithm>
#include <string>
#include <utility>

namespace aftershock::policies::modelarts {
namespace {

void merge(PodCounts& counts) {
  std::ranges::sort(counts, {}, [](const PodCount& count) {
    return std::pair(count.schedule, count.proc_start);
  });
  PodCounts merged;
  for (PodCount& count : counts) {
    if (!merged.empty() && merged.back().schedule == count.schedule &&
        merged.back().proc_start == count.proc_start) {
      merged.back().ranks.add(count.ranks);
    } else {
      merged.push_back(std::move(count));
    }
  }
  counts = std::move(merged);
}

}  // namespace

void processes_restarted(PodCounts& counts) {
  for (PodCount& count : counts) {
    ++count.proc_start;
  }
}

void rescheduled(PodCounts& counts) {
  for (PodCount& count : counts) {
    ++count.schedule;
    count.proc_start = 1;
  }
  merge(counts);
}

void pods_recreated(PodCounts& counts, const RankSet& ranks, const Readings& readings) {
  PodCounts split;
  for (const PodCount& count : counts) {
    PodCount anew{count.ranks.shared_with(ranks), count.schedule + 1, 1};
    PodCount kept{count.ranks.without(ranks),
                  count.schedule + (readings.schedule_counts_job ? 1U : 0U),
                  readings.survivors_reset ? 1 : count.proc_start + 1};
    for (PodCount* part : {&anew, &kept}) {
      if (!part->ranks.empty()) {
        split.push_back(std::move(*part));
      }
    }
  }
  counts = std::move(split);
  merge(counts);
}

std::vector<PodEnv> env_of(const PodCounts& counts) {
  std::vector<PodEnv> env;
  for (const PodCount& count : counts) {
    env.push_back({count.ranks,
                   {{"MA_SCHEDULE_CNT", std::to_string(count.schedule)},
                    {"MA_PROC_START_CNT", std::to_string(count.proc_start)}}});
  }
  return env;
}

}  // namespace aftershock::policies::modelarts
