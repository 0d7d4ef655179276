#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gui/cluster/place_state.h"
#include "gui/lanes/directory.h"
#include "gui/lanes/lane_key.h"
#include "reports/recording/header.h"

namespace aftershock::gui {

/// The states of places as long as nothing is recorded of them: those of the header. It takes
/// memory for the header, whatever it claims.
class Bases {
 public:
  Bases() = default;
  /// Both are the same run's; the directory outlives it.
  Bases(const reports::RecordingHeader& header, const Directory& directory);

  /// Of one place.
  [[nodiscard]] PlaceState of(const LaneKey& place) const;
  /// Adds up those of `count` nodes of a pool from slot `first` on.
  void add_to(Census& census, std::int64_t pool, std::int64_t first, std::int64_t count) const;

 private:
  const Directory* directory_ = nullptr;
  std::vector<std::vector<PlaceState>> of_;  ///< by pool and range of names
};

/// How many slots a pool has, or how many heads or storages there are; `group` says which pool.
std::int64_t places_in(const Directory& directory, Section section, std::int64_t group);

/// The slots of a rack: the first, and the one behind its last.
std::pair<std::int64_t, std::int64_t> slots_of_rack(const PoolNames& pool, std::int64_t rack);

}  // namespace aftershock::gui
