#include "sim/cli/pods_text.h"

#include <cstddef>

#include <fmt/format.h>

#include "policies/registry.h"
#include "reports/render/format.h"

namespace aftershock::sim::cli {
namespace {

/// "image, each": the lengths that the scenario leaves at zero.
std::string unset(const scenario::JobSpec& job, policies::PodStarts starts) {
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

/// "image 20 GB, each 175 ms": the lengths that the scenario sets.
std::string given(const scenario::PodSpec& pods, policies::PodStarts starts) {
  std::string numbers;
  const auto add = [&numbers](const std::string& number) {
    numbers += (numbers.empty() ? "" : ", ") + number;
  };
  constexpr double kGiga = 1e9;
  if (pods.image_bytes > 0) {
    add(fmt::format("image {:.6g} GB", static_cast<double>(pods.image_bytes) / kGiga));
  }
  if (pods.image_bytes > 0 && pods.registry_bytes_per_s) {
    const auto bytes_per_s = static_cast<double>(*pods.registry_bytes_per_s);
    add(fmt::format("registry {:.6g} GB/s", bytes_per_s / kGiga));
  }
  if (pods.each_us > 0) {
    add("each " + reports::format_duration(pods.each_us));
  }
  if (pods.rank_table_us > 0 && starts == policies::PodStarts::kPodsWithRankTable) {
    add("rank_table " + reports::format_duration(pods.rank_table_us));
  }
  return numbers;
}

}  // namespace

std::string pods_text(const scenario::Scenario& scenario, const reports::Style& style) {
  std::string text;
  for (std::size_t i = 0; scenario.policies == nullptr && i < scenario.jobs.size(); ++i) {
    const scenario::JobSpec& job = scenario.jobs[i];
    const auto* entry = policies::shipped_policy(job.policy.name);
    if (entry == nullptr || entry->pods == policies::PodStarts::kNone) {
      continue;
    }
    const std::string whose =
        fmt::format("the pods of job {} under {}", reports::printable(job.name, style.unicode),
                    reports::printable(job.policy.name, style.unicode));
    if (const std::string names = unset(job, entry->pods); !names.empty()) {
      text += reports::wrapped(fmt::format("assumed: {} start without time for {}, which "
                                           "/jobs/{}/pods does not set",
                                           whose, names, i),
                               0, style.width);
    }
    if (const std::string numbers = given(job.pods, entry->pods); !numbers.empty()) {
      text += reports::wrapped(fmt::format("taken as given: {} start with {} (/jobs/{}/pods); put "
                                           "in what you measure",
                                           whose, numbers, i),
                               0, style.width);
    }
  }
  return text;
}

}  // namespace aftershock::sim::cli
