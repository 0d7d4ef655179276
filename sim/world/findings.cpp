#include "sim/world/findings.h"

#include <cstddef>
#include <utility>

#include "sim/world/world.h"

namespace aftershock::sim::world {

void report_findings(World& world) {
  for (invariants::Finding& finding : world.checker.take()) {
    violate(world, std::string(finding.id), std::move(finding.what));
  }
}

void violate(World& world, std::string id, std::string what) {
  // A broken rule is broken at every entry from then on: the first hundred say enough.
  constexpr std::size_t kEnough = 100;
  if (world.violations.size() < kEnough) {
    world.violations.push_back({std::move(id), std::move(what), world.now_us()});
  }
}

}  // namespace aftershock::sim::world
