#include "sim/machines/spread.h"

#include <algorithm>
#include <utility>

#include "sim/scenario/faults/place_names.h"

namespace aftershock::sim::machines {

namespace {

bool is_free(const Pool& pool, std::uint32_t node) {
  return pool.placeable(node) && !pool.taken(node);
}

}  // namespace

std::optional<std::vector<std::uint32_t>> free_within(const Pool& pool,
                                                      const scenario::PoolSpec& spec,
                                                      const scenario::SpreadSpec& spread,
                                                      std::span<const std::uint32_t> kept,
                                                      std::uint32_t count) {
  std::vector<std::uint32_t> used(scenario::domains_of(spec, spread.over));
  for (const std::uint32_t node : kept) {
    ++used[scenario::domain_of(spec, spread.over, node)];
  }
  std::vector<std::uint32_t> found;
  // The lowest nodes come first, so that the choice follows from the state alone.
  for (std::uint32_t node = 0; node < pool.size() && found.size() < count; ++node) {
    std::uint32_t& beside = used[scenario::domain_of(spec, spread.over, node)];
    if (beside < spread.most && is_free(pool, node) &&
        std::ranges::find(kept, node) == kept.end()) {
      found.push_back(node);
      ++beside;
    }
  }
  return found.size() == count ? std::optional(std::move(found)) : std::nullopt;
}

std::optional<std::vector<std::uint32_t>> spread_gang(const Pool& pool,
                                                      const scenario::PoolSpec& spec,
                                                      const scenario::SpreadSpec& spread,
                                                      std::uint32_t count,
                                                      const Placement& before) {
  if (before.slots.size() != count) {
    return free_within(pool, spec, spread, {}, count);
  }
  std::vector<std::uint32_t> kept;
  std::ranges::copy_if(before.slots, std::back_inserter(kept),
                       [&](std::uint32_t node) { return is_free(pool, node); });
  // Kept nodes met the limit when they were placed: only new ones are held to it.
  const auto missing = static_cast<std::uint32_t>(count - kept.size());
  auto others = free_within(pool, spec, spread, kept, missing);
  if (!others) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> slots = before.slots;
  auto next = others->begin();
  for (std::uint32_t& node : slots) {
    // A kept node keeps its slot, so that its ranks do not move.
    node = is_free(pool, node) ? node : *next++;
  }
  return slots;
}

}  // namespace aftershock::sim::machines
