#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/sweep/splitting_levels.h"
namespace aftershock::sim::world {
struct World;
}  // namespace aftershock::sim::world

namespace aftershock::sim::sweep {

/// The cost of one level in one repetition.
struct LevelTally {
  double reached = 0;  ///< estimate of the probability to come here
  std::int64_t worlds = 0;
  std::int64_t copies = 0;
  std::int64_t entries = 0;
  std::int64_t simulated_us = 0;
};

/// The outlook of worlds, as some runs without splitting suggest: charges come at a steady rate
/// until about the same end. It decides which worlds are copied and how often, and weights make up
/// for that, so where it is wrong the estimate scatters more and stays unbiased.
struct Outlook {
  std::uint16_t budget = 0;
  std::int64_t limit = 0;
  double charges_per_us = 0;  ///< 0: all worlds are alike
  double end_us = 0;
  LevelTally took{};  ///< the runs that it is from
};

/// Why worlds could not be played to their ends.
struct Failing {
  std::string why;      ///< empty: they could
  bool policy = false;  ///< an external policy failed, whose words they are
};

/// From `runs` runs. Budgets that count what came in a row, and several at once, give none: how far
/// a world is from its end says little about them. Nor does it help where exhaustion is not rare.
/// `failed` becomes why there are no runs.
Outlook look_ahead(const world::World& begin, std::uint32_t job, std::uint32_t runs,
                   std::uint32_t number, Failing& failed);

/// One independent estimate.
struct Repetition {
  std::vector<LevelTally> levels;  ///< as many as there are, unless it failed
  Failing failed;                  ///< why it is none
};

/// Sends `effort` copies of a world that has not begun through the levels of a job. `number` tells
/// repetitions apart: its futures are those of no other. `go_on` is asked after every level.
Repetition run_repetition(const world::World& begin, std::uint32_t job,
                          const std::vector<Level>& levels, const Outlook& outlook,
                          std::uint32_t effort, std::uint32_t number,
                          const std::function<bool()>& go_on);

}  // namespace aftershock::sim::sweep
