#pragma once

#include <cstdint>

#include "sim/scenario/distribution.h"

namespace aftershock::sim::scenario {

/// The kind of thing at a place of the network.
enum class PlaceKind : std::uint8_t { kCore, kHead, kStorage, kPoolSwitch, kRackSwitch, kNode };

/// A place of the network, by its index in the cluster, or in its pool.
struct NamedPlace {
  PlaceKind kind = PlaceKind::kCore;
  std::uint32_t pool = 0;
  std::uint32_t index = 0;
  friend bool operator==(const NamedPlace&, const NamedPlace&) = default;
};

/// Which way nothing passes, as seen from the target.
enum class CutDirection : std::uint8_t { kBoth, kOutwards, kInwards };
/// The content of a message that comes late, or twice.
enum class MessageKind : std::uint8_t { kExit, kReport, kStopped, kRunning };

/// The effects of a fault of the network, of storage, of checkpoints or of messages.
struct NetworkEffect {
  CutDirection direction = CutDirection::kBoth;   ///< partition
  Distribution down = Distribution::constant(0);  ///< link flap: how long it is down, each time
  Distribution up = Distribution::constant(0);    ///< link flap: and up in between
  bool transfers_fail = false;                    ///< storage outage: else they wait
  double factor = 1;                              ///< slow storage: transfers take that longer
  bool found_at_restore = false;                  ///< torn checkpoint: else it never counts
  MessageKind message = MessageKind::kExit;       ///< stale, duplicate message
  std::int64_t delay_us = 0;                      ///< duplicate message: of the second one
};

}  // namespace aftershock::sim::scenario
