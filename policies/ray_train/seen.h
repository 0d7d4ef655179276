#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "policies/api/events.h"

namespace aftershock::policies::ray_train {

/// Calls `look` with position and content of every event of type `Seen` of this group from `begin`
/// on.
template <class Seen, class Look>
void for_each_seen(const Batch& batch, std::size_t begin, JobId job, Epoch epoch, Look look) {
  for (std::size_t at = begin; at < batch.events.size(); ++at) {
    const auto* seen = std::get_if<Seen>(&batch.events[at]);
    if (seen != nullptr && seen->job == job && seen->epoch == epoch) {
      look(static_cast<std::uint16_t>(at), *seen);
    }
  }
}

}  // namespace aftershock::policies::ray_train
