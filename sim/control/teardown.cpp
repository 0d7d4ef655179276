#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/control/ordering.h"

// How long the removal of pods may take (modelarts.md 4, rule 7).
namespace aftershock::sim::control {

std::vector<Breach> check_teardown(Ordering& ordering, const policies::PodTerms& terms,
                                   std::int64_t unmount_us, std::int64_t unmount_us_per_pod,
                                   std::int64_t now_us) {
  const auto teardown = std::exchange(ordering.teardown, std::nullopt);
  if (!teardown) {
    return {};
  }
  std::int64_t wanted_us = teardown->stopped_us;
  if (teardown->pods > 0) {
    wanted_us += unmount_us + unmount_us_per_pod * teardown->pods;
  }
  if (terms.unmount_async_after_us) {
    // Processes are waited for in any case, volumes only until the grace is over.
    wanted_us = std::min(wanted_us, std::max(teardown->stopped_us, *terms.unmount_async_after_us));
  }
  const std::int64_t took_us = now_us - teardown->begun_us;
  if (took_us == wanted_us) {
    return {};
  }
  return {{"M7", fmt::format("removing the pods took {} us and should have taken {} us", took_us,
                             wanted_us)}};
}

}  // namespace aftershock::sim::control
