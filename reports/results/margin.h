#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "reports/results/metrics.h"

namespace aftershock::reports {

/// How much worse a metric may become before it counts: by so much in its own unit, or by so large
/// a share of the old value, whichever is more.
struct Margin {
  double absolute = 0;
  double share = 0;

  /// The margin for an old value.
  [[nodiscard]] double of(double old) const;

  bool operator==(const Margin&) const = default;
};

/// Margins by the names of metrics.
using Margins = std::map<std::string, Margin, std::less<>>;

/// The margin of a metric that none was given for. None: it is shown and not judged, because it is
/// a part of one that is (the buckets of the ledger sum to what ETTR is made of), or has no better
/// direction.
std::optional<Margin> usual_margin(std::string_view metric);

/// The rank of a metric; earlier ones count more. A metric of a later rank is judged only where
/// nothing of an earlier one changed: a run that now completes may cost more than one that failed,
/// and of two that failed or are stuck the one with more useful work is better, however it ended.
enum class Rank : std::uint8_t { kOutcome, kWork, kLifetime, kCost };
/// The rank of a metric.
Rank rank_of(std::string_view metric);

/// The change of a value: better or worse by more than the margin, or neither. `better` is the
/// metric's.
enum class Change : std::uint8_t { kSame, kWithin, kBetter, kWorse };
/// Where only one value is there it is a change within the margin.
Change change_of(const MetricValue& old, const MetricValue& now, Better better,
                 const Margin& margin);

}  // namespace aftershock::reports
