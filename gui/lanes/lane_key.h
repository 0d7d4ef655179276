#pragma once

#include <compare>
#include <cstdint>
#include <tuple>
#include <vector>

namespace aftershock::gui {

/// The parts of the list of lanes, in the order in which they stand in it.
enum class Section : std::uint8_t { kHeads, kJobs, kExperiments, kPools, kStorages };

/// The part of a job, an experiment or a trial that a lane shows.
enum class Facet : std::int8_t {
  kWhole = -1,  ///< all of it
  kPhases,
  kAttempts,
  kCheckpoints,
  kDecisions,
  kBudgets,   ///< item: the budget's number in the policy's list
  kCounters,  ///< item: the counter's number among the names given
};

/// A lane, or a group of lanes. A member that is -1 is left open: a pool is all nodes of its group.
/// Ordered as lanes stand below each other, parents before their children.
struct LaneKey {
  Section section = Section::kHeads;
  std::int64_t group = -1;  ///< number of the job, experiment or pool, in the order of the header
  std::int64_t rack = -1;
  std::int64_t node = -1;  ///< slot in the pool; number of a head, storage or trial
  std::int64_t run = 1;    ///< so many nodes from `node` on that nothing is recorded of
  std::int64_t accelerator = -1;
  Facet facet = Facet::kWhole;
  std::int64_t item = -1;

  friend bool operator==(const LaneKey&, const LaneKey&) = default;
  friend auto operator<=>(const LaneKey& a, const LaneKey& b) {
    // A run stands before those that are in it.
    return std::tuple(a.section, a.group, a.rack, a.node, -a.run, a.accelerator, a.facet,
                      a.item) <=>
           std::tuple(b.section, b.group, b.rack, b.node, -b.run, b.accelerator, b.facet, b.item);
  }
};

/// Whether `lane` is in the group `above`, directly or further down.
bool is_above(const LaneKey& above, const LaneKey& lane);

/// The groups that a lane is in, from the top; those of runs are not known from the key alone.
std::vector<LaneKey> groups_of(const LaneKey& lane);

}  // namespace aftershock::gui
