#include "sim/advise/assumed.h"

#include <algorithm>

namespace aftershock::sim::advise {
namespace {

/// Whether a device may stay out of order when the process that it hit has ended.
bool leaves_device_broken(const scenario::FaultSpec& fault) {
  return std::ranges::any_of(fault.effects, [](const scenario::WeightedEffect& each) {
    const scenario::FaultEffect& effect = each.effect;
    const bool breaks = effect.kind == scenario::FaultKind::kAcceleratorFault ||
                        effect.kind == scenario::FaultKind::kCorrectedEccStorm;
    return breaks && (effect.needs != policies::DeviceNeed::kReset || effect.lasts ||
                      effect.until_repaired || !effect.then.empty());
  });
}

}  // namespace

std::vector<std::string> assumed_words(const scenario::Scenario& scenario) {
  std::vector<std::string> words;
  // Others are the user's own choice.
  if (scenario.cluster.health_check.when == scenario::HealthCheckWhen::kPlacement &&
      std::ranges::any_of(scenario.faults, leaves_device_broken)) {
    words.emplace_back(
        "the cluster looks at the accelerators before it places work, and gives none to a node "
        "with one out of order; workers that are started again where they are meet it again. Which "
        "policy survives may hang on that: --set "
        "'/cluster/health_check={\"when\":\"none\"}' or \"periodic\" says otherwise");
  }
  return words;
}

}  // namespace aftershock::sim::advise
