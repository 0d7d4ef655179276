#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// Invariants that every run is held to, by the ids of chaos.md 5.3 and 5.4.
namespace aftershock::sim::invariants {

/// One of them. Ids are stable: they are recorded, counted and grepped for.
struct Invariant {
  std::string_view id;        ///< "S01" to "S25" for safety, "L1" to "L11" for liveness
  std::string_view sentence;  ///< its law, in a sentence
  std::string_view look;  ///< the object of the check, and its time; or why nothing can be checked
  bool checked = true;    ///< by every run
};

/// All of them, safety first, each in the order of its number.
std::span<const Invariant> invariants();

/// The one of that id; null when there is none.
const Invariant* find_invariant(std::string_view id);

/// How many of them every run checks.
std::int64_t checked_invariants();

}  // namespace aftershock::sim::invariants
