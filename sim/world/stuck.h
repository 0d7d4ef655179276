#pragma once

#include <string>
#include <string_view>

#include "sim/world/world.h"

namespace aftershock::sim::world {

/// The mark in the words about a job that waits for nodes where no policy could have brought it
/// back (chaos.md 5.4, the recoverability oracle); why follows.
inline constexpr std::string_view kPastRecovery = "; past recovery: ";
/// The same where machines are on their way, so that more time may bring it back.
inline constexpr std::string_view kShortForNow = "; short of nodes for now: ";

/// Why a run that is stuck cannot go on: who waits, for what, since when, and who has it.
std::string stuck_reason(const World& world);

/// The obstacle of the first that cannot go on, in the same words whatever its name, its size and
/// the time: two runs that are stuck alike have the same. For a run that is over and stuck.
std::string stuck_kind(const World& world);

/// The wait of a job that has not ended: for what, since when, and who has it.
std::string waiting_words(const World& world, const workload::Job& job);
/// The same of the trials of an experiment.
std::string waiting_words(const World& world, const workload::Experiment& experiment);

/// The nodes that the pool of a job had for it when it was to be placed last.
std::string unplaced_words(const World& world, const workload::Job& job);

/// The nodes that failed starts of a job keep from everybody, since when, and what gives them back;
/// empty: none.
std::string left_reserved_words(const World& world, const workload::Job& job);

/// The restart loop of a job that only started again and again; empty: it has not, or
/// has by now.
std::string circling_words(const World& world, const workload::Job& job);

/// The restart loops of all jobs, to follow the reason why a run was cut short;
/// empty when there is none.
std::string circling_jobs(const World& world);

}  // namespace aftershock::sim::world
