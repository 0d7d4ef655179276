#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/ledger/summary.h"
#include "reports/results/metrics.h"

namespace aftershock::reports {

/// One run of many. Runs of the same replica number in different cells have the same seed, and so
/// the same fault timelines.
struct RunRow {
  std::uint32_t cell = 0;
  std::uint32_t replica = 0;
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::kPassed;
  std::uint64_t hash = 0;
  std::string outcome;              ///< of the first job that did not complete, else "completed"
  std::string reason;               ///< of that job: "exhausted(max_failures)"
  std::string verdict_reason{};     ///< of a verdict other than passed, in words
  std::vector<MetricValue> values;  ///< of metrics(), then of the pointers asked for; empty: died
  std::string decisions{};          ///< their trace as bytes, where it was asked for; is not stored
  std::string marks{};              ///< its coverage, where that was asked for; is not stored

  bool operator==(const RunRow&) const = default;
};

/// The value of a metric, of those of metrics(); none where the run did not come to it, or died.
std::optional<double> number_of(const RunRow& row, std::string_view metric);

/// The reason why a run did not go well: the verdict's, else the job's.
const std::string& why_of(const RunRow& row);

/// The part of a run that is kept.
RunRow row_of(const RunSummary& summary, std::span<const std::string> pointers);

/// A row as bytes, for another process of the same program on the same kind of machine.
std::string to_bytes(const RunRow& row);
/// The row again; none where the bytes are not those of one.
std::optional<RunRow> row_from_bytes(std::string_view bytes);

}  // namespace aftershock::reports
