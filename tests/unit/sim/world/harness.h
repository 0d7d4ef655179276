#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace aftershock::sim::world {

constexpr std::int64_t operator""_s(unsigned long long seconds) {
  return static_cast<std::int64_t>(seconds) * 1'000'000;
}
constexpr std::int64_t operator""_s(long double seconds) {
  return (static_cast<std::int64_t>(seconds * 2e6L) + 1) / 2;
}

/// Buckets that are not zero, in microseconds.
using Buckets = std::map<std::string, std::int64_t>;

/// The outcome of a run: the object of `run --json`.
struct Outcomes {
  nlohmann::json summary;

  [[nodiscard]] const nlohmann::json& job(std::size_t index = 0) const;
  [[nodiscard]] Buckets ledger(std::size_t index = 0) const;
  [[nodiscard]] const nlohmann::json& experiment(std::size_t index = 0) const;
  [[nodiscard]] Buckets trials_ledger(std::size_t index = 0) const;
  /// "TERMINATED 10 failures 0 restored 0 lost 2 steps 25 s" of a trial of the first experiment.
  [[nodiscard]] std::string trial(std::size_t trial, std::size_t index = 0) const;
  [[nodiscard]] std::int64_t wall(std::size_t index = 0) const;
  [[nodiscard]] std::int64_t used(std::string_view budget, std::size_t index = 0) const;
  [[nodiscard]] std::int64_t detected(std::size_t recovery = 0, std::size_t index = 0) const;
  /// "fired 1 masked 0 detected 1" of a kind of fault.
  [[nodiscard]] std::string faults(const std::string& kind) const;
};

/// A whole scenario from what is special about it. `patch` is a JSON object with any of
///   pool, job     merged over the base pool and job below
///   jobs          instead of job: each merged over the base job
///   experiments   each merged over the base experiment; then there is a job only if one is given
///   cluster, faults, until, expect    as in a scenario
/// Base: pool p of 2 nodes with 2 accelerators; job a of 4 workers, 100 steps of 10 s, every phase
/// of a start 0 s long, no checkpoint, max_failures 9, HCCL, whose ranks see nothing of each other.
/// So it runs from 0 on, polls fall on even seconds, and it has done its work at 1,000 s.
/// Heartbeats are those of the cluster's default: at multiples of 5 s, dead at the third that stays
/// away.
/// Base experiment: x on pool p, of 4 trials with an accelerator each, 10 steps of 10 s, a
/// checkpoint with every report, max_failures 9. So all of them run from 0 to 100 s.
std::string scenario_text(std::string_view patch);

/// Runs it and holds it to what every run must keep: both ledgers sum to wall time, no
/// inconsistency after any entry, no invariant violated, the same result a second time, with a
/// recording, and inside SimGrid.
Outcomes simulated(std::string_view patch);

}  // namespace aftershock::sim::world
