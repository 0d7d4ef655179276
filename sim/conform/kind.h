#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// Two controllers of one family on the same scenarios and seeds: a port and the installed code that
// it follows. All that a run gave is a value, so that it can be kept and compared later.
namespace aftershock::sim::conform {

/// A part of a run that may differ. Times are a kind of their own: doing the same a second later
/// differs in that alone.
enum class Kind : std::uint8_t {
  kOutcome,    ///< how jobs and experiments ended, and what of their budgets is used
  kAttempts,   ///< attempts, restarts, drivers, and which faults were recovered from
  kCharges,    ///< moves of budgets, in order: cause, fault, the vendor's word, the count
  kDecisions,  ///< changes of state and judged failures, in order
  kCommands,   ///< types of commands, in order
  kWork,       ///< steps done, lost, stranded; what is useful of them
  kTime,       ///< when each of these was, and where the time went
  kFaults,     ///< which faults struck and were detected, and which invariants were violated
};

/// All of them, in the order in which they are told.
inline constexpr std::array kKinds{Kind::kOutcome,   Kind::kAttempts, Kind::kCharges,
                                   Kind::kDecisions, Kind::kCommands, Kind::kWork,
                                   Kind::kTime,      Kind::kFaults};

/// "outcome", "attempts", "charges", "decisions", "commands", "work", "time" or "faults".
std::string_view name_of(Kind kind);
/// The kind of that name; none for any other.
std::optional<Kind> kind_named(std::string_view name);

}  // namespace aftershock::sim::conform
