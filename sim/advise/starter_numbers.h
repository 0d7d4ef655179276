#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/advise/starter.h"
#include "sim/advise/starter_spot.h"

// The numbers of a scenario to start from, before they are written.
namespace aftershock::sim::advise {

/// One cause of failures: its line of the scenario, and what it comes to.
struct StarterCause {
  std::string text;    ///< all but its weight, as JSON without the braces
  double weight = 0;   ///< of kStarterWeights
  bool exit = false;   ///< a process ended and no hardware says why
  double repairs = 0;  ///< of a node, each as long as a usual one, in the mean
  double drained = 0;  ///< how likely a node is left for it
};

/// The sum of all weights: the interruptions of Llama 3's table.
inline constexpr double kStarterWeights = 419;
/// Unexpected interruptions in 54 days of 2,048 nodes.
inline constexpr double kStarterFailuresPerNodeDay = 419.0 / (54 * 2048);

/// The end of a node's work when its accelerator is out of order for long.
enum class SickNode : std::uint8_t {
  kPassedOver,  ///< the next attempt is placed elsewhere
  kIsolated,    ///< the policy is told of it, and takes the node out
  kDrained,     ///< the policy restarts in place, and somebody else takes the node away
};

/// The causes of failure, by kind of accelerator, by the end of a sick one's node, and by whether
/// something ends a worker that hangs: of the trials of an experiment nothing would.
std::vector<StarterCause> starter_causes(scenario::AcceleratorKind kind, SickNode sick,
                                         bool experiment);

/// The sizes that follow from the number of nodes, the mix and the days.
struct StarterNumbers {
  std::uint32_t nodes = 0;
  double failures_a_day = 0;
  double exits = 0;         ///< expected in all days
  double nodes_lost = 0;    ///< expected in all days, to whatever takes them
  double in_repair = 0;     ///< at a time, in the mean
  std::int64_t spares = 0;  ///< by Erlang's formula
  std::int64_t racks = 0;
  std::int64_t interval_s = 0;  ///< Daly's, in whole steps
  std::int64_t blocking_s = 10;
  std::int64_t checkpoint_gb = 0;
  std::int64_t all_retries = 0;  ///< that pay for all failures and preemptions but in one case of
                                 ///< a thousand
  std::int64_t failure_retries = 0;  ///< for failures alone
  /// For those exits, and for preemptions, each of which may strike while another is made good.
  std::int64_t exit_retries = 0;
  std::int64_t node_retries = 0;    ///< for those nodes alone
  std::int64_t trial_retries = 3;   ///< of each trial of an experiment
  std::int64_t max_nodes = 0;       ///< of a pool that is refilled; 0: it is not
  std::int64_t places = 0;          ///< of them for machines that are repaired or on their way
  double leaked_groups = 0;         ///< expected in all days: as many nodes as the job has, each
                                    ///< time that Ray loses sight of a group
  std::int64_t join_timeout_s = 0;  ///< for which the others wait for a node; 0: the default
};
/// The numbers for a request whose accelerators are whole nodes. `spot`: null where no market takes
/// them back.
StarterNumbers starter_numbers(const StarterRequest& request,
                               const std::vector<StarterCause>& causes,
                               const StarterSpot* spot = nullptr);

/// The share of all days in which a trial of an experiment runs: there are two for each node.
inline constexpr double kTrialDays = 0.4;

/// "11min", "90s", "6h": a length in its greatest whole unit.
std::string whole_time(std::int64_t seconds);

}  // namespace aftershock::sim::advise
