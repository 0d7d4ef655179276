#pragma once

#include <cstdint>
#include <optional>

#include "sim/scenario/distribution.h"

namespace aftershock::sim::scenario {

/// The library that carries a job's collectives, and how it treats what goes wrong in them.
enum class Transport : std::uint8_t { kGloo, kNccl, kNcclUnhandled, kHccl };

/// The laws by which ranks that wait in a collective learn of a process that has ended.
struct CollectivesSpec {
  Transport transport = Transport::kHccl;
  /// Until they see one that ended with its connections closed; none: unseen.
  std::optional<Distribution> peer_ended;
  /// The same of one that went, or was cut off, without a word; none: unseen.
  std::optional<Distribution> peer_vanished;
  /// From there, or from the collective timeout, until their own processes are gone.
  Distribution gone_after = Distribution::constant(0);
};

/// The laws of a transport between nodes, or `within_node`; sim/README.md names their sources.
CollectivesSpec collectives_by(Transport transport, bool within_node);

}  // namespace aftershock::sim::scenario
