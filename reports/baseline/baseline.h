#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "reports/baseline/decision_trace.h"
#include "reports/ledger/summary.h"
#include "reports/results/metrics.h"

// A baseline: what runs came to when somebody last said that it is right. One JSON file, sorted,
// with exactly one line a run, so that a change of it can be read as a diff. "metrics" names those
// that its runs were measured by; a line leaves out those of them that are nothing or 0,
// and has null for those that were not known when it was made.
namespace aftershock::reports {

/// Raised with every change of what the file means.
inline constexpr std::int64_t kBaselineSchema = 3;
/// The oldest that can still be read. Schema 2 had no useful work: its runs are judged without.
inline constexpr std::int64_t kOldestBaselineSchema = 2;

/// Which run it is. A policy's profile is not part of it: a run is held against that of the profile
/// before.
struct RunKey {
  std::string scenario;  ///< path of its file
  std::string variant;   ///< the name of the policy that all jobs were given; empty: their own
  std::uint64_t seed = 0;

  auto operator<=>(const RunKey&) const = default;
};

/// The outcome of one run.
struct BaselineRun {
  RunKey key;
  std::string policy;  ///< of the first job, name@profile or name
  std::string text;    ///< digest of the scenario, 16 hex digits
  Verdict verdict = Verdict::kPassed;
  std::string outcome;              ///< "completed", "failed, exhausted(max_failures)"
  std::uint64_t hash = 0;           ///< of the recording
  std::vector<MetricValue> values;  ///< of metrics(); empty: its worker died
  std::vector<bool> known{};        ///< which of them the file has; empty: all
  DecisionTrace decisions;

  bool operator==(const BaselineRun&) const = default;
};

/// The whole file.
struct Baseline {
  std::vector<BaselineRun> runs;  ///< by key
  std::int64_t schema = kBaselineSchema;

  /// The run of that key, or null.
  [[nodiscard]] const BaselineRun* find(const RunKey& key) const;
  /// That, else the only one of its scenario and seed, which is of another variant; or null.
  [[nodiscard]] const BaselineRun* find_like(const RunKey& key) const;
};

/// Of a text what tells one scenario from another: all of it but words for people, tags, and what
/// it is judged by.
std::string scenario_digest(std::string_view scenario_json);

/// The file.
std::string baseline_text(std::vector<BaselineRun> runs);
/// Reads one; in words, with line and column where they are known, what keeps it from being read
/// and what was expected. `name` stands for the path.
std::variant<Baseline, std::string> read_baseline(std::string_view text, std::string_view name);

/// Writes a text beside `path` and renames it, so that under its own name a file is whole; what
/// went wrong, in words.
std::optional<std::string> write_whole(const std::string& path, std::string_view text);

}  // namespace aftershock::reports
