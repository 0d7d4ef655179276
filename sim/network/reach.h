#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::network {

/// A place in the network.
using NetPlace = std::uint32_t;

/// Some places, or all but some.
struct PlaceSet {
  std::vector<NetPlace> listed;  ///< ascending
  bool all_but = false;
  /// Whether the place is one of them.
  [[nodiscard]] bool contains(NetPlace place) const;
};

/// Messages from any place of one set to any of the other do not arrive.
struct CutRule {
  PlaceSet from;
  PlaceSet to;
};

/// The rules that one fault lays over the network.
struct Cut {
  std::uint32_t id = 0;
  std::vector<CutRule> rules;
  /// Whether it has a say over what one sends to the other.
  [[nodiscard]] bool blocks(NetPlace from, NetPlace to) const;
};

/// Cuts what goes out of a set of places, what comes into it, or both: to and from all others.
Cut cut_around(std::uint32_t id, std::vector<NetPlace> inside, scenario::CutDirection direction);
/// The same between these places and some others alone.
Cut cut_between(std::uint32_t id, std::vector<NetPlace> inside, std::vector<NetPlace> others,
                scenario::CutDirection direction);

/// Whether what one place sends reaches the other under these cuts.
bool passes(std::span<const Cut> cuts, NetPlace from, NetPlace to);
/// Whether they can talk: a connection needs both ways.
bool connected(std::span<const Cut> cuts, NetPlace one, NetPlace other);
/// Whether each of these places can talk to each other one. Costs a walk over them a rule.
bool all_connected(std::span<const Cut> cuts, std::span<const NetPlace> places);

}  // namespace aftershock::sim::network
