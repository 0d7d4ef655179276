#include "sim/chaos/known_finding.h"

#include <algorithm>
#include <array>

namespace aftershock::sim {

const KnownFinding* known_finding(std::string_view policy, std::string_view failure,
                                  std::string_view words) {
  static constexpr std::array<KnownFinding, 2> kKnown{{
      {"ray_train", "stuck", "left reserved by job",
       "A start that fails after its workers were made leaves the old placement group reserved, "
       "and "
       "the next attempt asks for a new one beside it: without as many free nodes again it waits "
       "for ever.",
       "Ray Train V2, worker_group/worker_group.py: create() raises once the group counts as "
       "started, and nobody is left who shuts it down (reference ray.md 1.5)"},
      {"ray_train", "stuck", "stands still since hang",
       "Ranks that are in report() wait for each other without a time limit, so that a rank which "
       "hangs while a checkpoint is saved holds the others for ever.",
       "Ray #58229: the report barrier's timeout was taken away, the default is none (reference "
       "ray.md, timeline 2025-11-07)"},
  }};
  const std::string_view name = policy.substr(0, policy.find('@'));
  const auto found = std::ranges::find_if(kKnown, [&](const KnownFinding& known) {
    return known.policy == name && known.failure == failure &&
           words.find(known.within) != std::string_view::npos;
  });
  return found == kKnown.end() ? nullptr : &*found;
}

}  // namespace aftershock::sim
