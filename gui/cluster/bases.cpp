#include "gui/cluster/bases.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

__extension__ using Wide = __int128;

PlaceState base_of(const std::string& kind) {
  if (kind == "spare") {
    return PlaceState::kSpare;
  }
  return kind == "provisionable" ? PlaceState::kAbsent : PlaceState::kUp;
}

// The range of names that a slot is in, or the one behind it.
std::size_t range_of(const std::vector<NumberedNames>& ranges, std::int64_t slot) {
  const auto found = std::ranges::upper_bound(ranges, slot, {}, &NumberedNames::first);
  const auto index = static_cast<std::size_t>(found - ranges.begin());
  return index == 0 ? 0 : index - 1;
}

}  // namespace

Bases::Bases(const reports::RecordingHeader& header, const Directory& directory)
    : directory_(&directory), of_(directory.pools.size()) {
  // As the directory takes them: in the header's order, pool by pool.
  for (const reports::HeaderEntities& entities : header.entities) {
    const auto pool = directory.pool_index.find(entities.pool);
    if (pool != directory.pool_index.end() && entities.kind != "head" &&
        entities.kind != "storage") {
      of_[static_cast<std::size_t>(pool->second)].push_back(base_of(entities.kind));
    }
  }
}

PlaceState Bases::of(const LaneKey& place) const {
  if (place.section != Section::kPools || directory_ == nullptr) {
    return PlaceState::kUp;
  }
  const auto pool = static_cast<std::size_t>(place.group);
  const std::size_t range = range_of(directory_->pools[pool].nodes, place.node);
  return range < of_[pool].size() ? of_[pool][range] : PlaceState::kUp;
}

void Bases::add_to(Census& census, std::int64_t pool, std::int64_t first,
                   std::int64_t count) const {
  if (directory_ == nullptr) {
    return;
  }
  const auto index = static_cast<std::size_t>(pool);
  const std::vector<NumberedNames>& ranges = directory_->pools[index].nodes;
  for (std::size_t i = range_of(ranges, first);
       i < ranges.size() && ranges[i].first < first + count; ++i) {
    const std::int64_t from = std::max(first, ranges[i].first);
    const std::int64_t to = std::min(first + count, ranges[i].first + ranges[i].count);
    if (from < to) {
      count_of(census, of_[index][i]) += to - from;
    }
  }
}

std::int64_t places_in(const Directory& directory, Section section, std::int64_t group) {
  if (section == Section::kPools) {
    return directory.pools[static_cast<std::size_t>(group)].slots;
  }
  const std::vector<NumberedNames>& ranges =
      section == Section::kHeads ? directory.heads : directory.storages;
  return ranges.empty() ? 0 : ranges.back().first + ranges.back().count;
}

std::pair<std::int64_t, std::int64_t> slots_of_rack(const PoolNames& pool, std::int64_t rack) {
  const auto first = [&pool](std::int64_t of) {
    return static_cast<std::int64_t>((Wide{of} * pool.slots + pool.racks - 1) / pool.racks);
  };
  return pool.racks <= 0 ? std::pair(std::int64_t{0}, pool.slots)
                         : std::pair(first(rack), first(rack + 1));
}

}  // namespace aftershock::gui
