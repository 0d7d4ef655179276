#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/conform/case_list.h"
#include "sim/conform/view.h"

namespace aftershock::sim::conform {

/// A case with one seed, under the port and under the installed code.
struct ComparedRun {
  std::size_t of = 0;  ///< the case, by its place in the list
  std::uint64_t seed = 0;
  Counts counts;  ///< of the port
  std::vector<Difference> differences;
};

/// A difference with the run in which it is.
struct Found {
  std::size_t of = 0;
  std::uint64_t seed = 0;
  Difference difference;
  bool known = false;  ///< documented for its case
};

/// All runs by one kind of difference.
struct KindTally {
  std::uint64_t differ = 0;    ///< runs in which it differs
  std::uint64_t known = 0;     ///< of these, those for whose case that is documented
  std::optional<Found> first;  ///< one that is not documented before all others
};

/// A documented difference that is not there any more.
struct Stale {
  std::size_t of = 0;
  std::vector<Kind> kinds;  ///< those that are not; empty: nothing differs
};

/// The outcome of a comparison.
struct Comparison {
  std::size_t scenarios = 0;
  std::size_t runs = 0;
  Counts counts;
  std::size_t differ = 0;           ///< runs that differ in anything
  std::vector<std::size_t> beyond;  ///< runs with a difference that is not documented, by index
  std::map<Kind, KindTally> kinds;  ///< those that differ
  std::vector<Stale> stale;

  /// Whether every difference is documented, and everything documented differs.
  [[nodiscard]] bool as_listed() const { return beyond.empty() && stale.empty(); }
};

/// Holds the runs against what is documented of their cases. `whole`: all runs of every case are
/// there, so that a documented difference which none of them shows is stale.
Comparison compare_runs(std::span<const Case> cases, std::span<const ComparedRun> runs, bool whole);

}  // namespace aftershock::sim::conform
