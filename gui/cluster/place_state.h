#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gui/trace/kind.h"

namespace aftershock::gui {

/// The state of a node, a head or a storage at a time, as far as a recording says it.
enum class PlaceState : std::uint8_t {
  kUp,         ///< nothing is known to be wrong
  kFree,       ///< the same of a node that no job holds, where the recording tells of holders
  kSpare,      ///< the same of a node that is there to stand in for others
  kSlow,       ///< it, or an accelerator of it, is slower than it should be
  kHung,       ///< a process on it does nothing, and has not been ended yet
  kRepairing,  ///< out of service while it is repaired
  kIsolated,   ///< nobody gets it any more
  kCut,        ///< runs, but a partition is between it and the rest
  kDown,
  kAbsent,  ///< no machine is in its slot: not yet provided, or taken away for good
  kCount
};

/// How many there are.
inline constexpr std::size_t kPlaceStates = static_cast<std::size_t>(PlaceState::kCount);

/// Their names as a legend has them.
inline constexpr std::array<std::string_view, kPlaceStates> kPlaceStateNames{
    "up",       "free",    "spare", "slow",     "hung", "being repaired",
    "isolated", "cut off", "down",  "not there"};

constexpr std::string_view name_of(PlaceState state) {
  return kPlaceStateNames[static_cast<std::size_t>(state)];
}

/// How many places are in each state.
using Census = std::array<std::int64_t, kPlaceStates>;

/// How many of them are in this one.
constexpr std::int64_t& count_of(Census& census, PlaceState state) {
  return census[static_cast<std::size_t>(state)];
}
/// The same, to read.
constexpr std::int64_t count_of(const Census& census, PlaceState state) {
  return census[static_cast<std::size_t>(state)];
}

/// The state by the kinds of spans that a place is in; `well` where they say nothing. A place that
/// is down is not called cut off or isolated as well.
constexpr PlaceState state_of(KindMask kinds, PlaceState well) {
  constexpr auto kHas = [](KindMask mask, Kind kind) { return (mask & mask_of(kind)) != 0; };
  if (kHas(kinds, Kind::kDown) || kHas(kinds, Kind::kControllerDown)) {
    return PlaceState::kDown;
  }
  if (kHas(kinds, Kind::kCut)) {
    return PlaceState::kCut;
  }
  if (kHas(kinds, Kind::kRepairing)) {
    return PlaceState::kRepairing;
  }
  if (kHas(kinds, Kind::kIsolated)) {
    return PlaceState::kIsolated;
  }
  return kHas(kinds, Kind::kSlow) ? PlaceState::kSlow : well;
}

/// Without those with whom nothing is wrong.
constexpr Census ailing(Census census) {
  count_of(census, PlaceState::kUp) = 0;
  count_of(census, PlaceState::kFree) = 0;
  count_of(census, PlaceState::kSpare) = 0;
  return census;
}

/// The state that a cell of several places is drawn as: what is worst with any of them, else what
/// most of them are.
constexpr PlaceState worst_of(const Census& census) {
  for (std::size_t i = static_cast<std::size_t>(PlaceState::kDown);
       i > static_cast<std::size_t>(PlaceState::kSpare); --i) {
    if (census[i] > 0) {
      return static_cast<PlaceState>(i);
    }
  }
  PlaceState most = PlaceState::kUp;
  for (const PlaceState state : {PlaceState::kFree, PlaceState::kSpare, PlaceState::kAbsent}) {
    most = count_of(census, state) > count_of(census, most) ? state : most;
  }
  return most;
}

}  // namespace aftershock::gui
