#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/ledger/summary.h"

namespace aftershock::reports {

/// Which of two values of a metric a user would rather have.
enum class Better : std::uint8_t { kNeither, kHigher, kLower };

/// One number that every run comes to.
struct Metric {
  std::string name;  ///< as in expressions and columns; its unit is its last part: "lost_us"
  Better better = Better::kNeither;
  std::string what;  ///< in words, without a full stop
};

/// All metrics, in the order of the columns of results.
std::span<const Metric> metrics();
/// The place of a metric in `metrics()`; none if there is none of that name.
std::optional<std::size_t> metric_named(std::string_view name);

/// Whether the values of a metric, or of what stands at a pointer, are from 0 to 1: an event's
/// probability or a share of time.
bool is_share(std::string_view metric);

/// Whether a metric compares runs that ended at different places: outcomes, useful work and what it
/// cost. All others grow with the life of a job, or are divided by it, as ETTR is: a job that dies
/// early has lost little and been charged little.
bool compares_lives(std::string_view metric);

/// How a table calls a metric whose values it shows in units that people read: "wall time" for
/// wall_us, "cost (currency)" for cost, in the currency of the prices. Any other name, and a
/// pointer, is as it is.
std::string metric_title(std::string_view metric);

/// The names of all, in that order.
std::vector<std::string_view> metric_names();

/// A whole number, a real one, or nothing: what a run did not come to has no value.
using MetricValue = std::variant<std::monostate, std::int64_t, double>;
/// Any of them as a number; none for nothing. Whole numbers beyond 2^53 lose their last digits.
std::optional<double> number_of(const MetricValue& value);

/// The metrics of a run, one value each. Of several jobs and experiments the sums; `ettr` is the
/// sum of productive over the sum of wall time.
std::vector<MetricValue> metric_values(const RunSummary& summary);

/// The values at these JSON Pointers of the summary (design.md 7), one each: numbers, truth
/// values as 0 and 1, and nothing for all else.
std::vector<MetricValue> values_at(const RunSummary& summary,
                                   std::span<const std::string> pointers);

}  // namespace aftershock::reports
