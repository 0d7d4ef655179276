#include "sim/cli/pods_text.h"

#include <cstddef>

#include <fmt/format.h>

#include "policies/registry.h"
#include "reports/render/format.h"

namespace aftershock::sim::cli {
namespace {

/// "image, each": the lengths that the scenario leaves at zero.
std::string unset(const JobSpec& job, policies::PodStarts starts) {
  const bool ranks = starts == policies::PodStarts::kPodsWithRankTable;
  std::string names = job.pods.image_bytes == 0 ? "image" : "";
  if (job.pods.each_us == 0) {
    names += names.empty() ? "each" : ", each";
  }
  if (ranks && job.pods.rank_table_us == 0) {
    names += names.empty() ? "rank_table" : ", rank_table";
  }
  return names;
}

}  // namespace

std::string pods_text(const Scenario& scenario, const reports::Style& style) {
  std::string text;
  for (std::size_t i = 0; scenario.policies == nullptr && i < scenario.jobs.size(); ++i) {
    const JobSpec& job = scenario.jobs[i];
    const auto* entry = policies::shipped_policy(job.policy.name);
    const std::string names = entry == nullptr || entry->pods == policies::PodStarts::kNone
                                  ? std::string()
                                  : unset(job, entry->pods);
    if (!names.empty()) {
      text += reports::wrapped(
          fmt::format("assumed: the pods of job {} under {} start without time for {}, which "
                      "/jobs/{}/pods does not set",
                      reports::printable(job.name, style.unicode),
                      reports::printable(job.policy.name, style.unicode), names, i),
          0, style.width);
    }
  }
  return text;
}

}  // namespace aftershock::sim::cli
