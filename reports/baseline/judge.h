#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reports/baseline/baseline.h"
#include "reports/baseline/decision_trace.h"
#include "reports/results/margin.h"

namespace aftershock::reports {

/// How a run stands against the baseline.
enum class Standing : std::uint8_t {
  kNoBaseline,  ///< there is none
  kSame,        ///< to the byte
  kChanged,  ///< decisions, or what is not judged, differ; no judged metric by more than its margin
  kBetter,
  kWorse,
  kNew,      ///< the baseline has no such run
  kMissing,  ///< the baseline has it, and it was not run
};
/// "same", "worse", ...
std::string_view name_of(Standing standing);

/// A metric that is not what it was.
struct MetricChange {
  std::size_t metric = 0;  ///< in metrics()
  MetricValue old;
  MetricValue now;
  Change change = Change::kWithin;
  std::optional<Margin> margin;  ///< none: not judged
  bool decides = false;          ///< it makes the run better or worse

  bool operator==(const MetricChange&) const = default;
};

/// The standing of a run, and its reason.
struct Judgement {
  Standing standing = Standing::kNoBaseline;
  std::vector<MetricChange> changes;  ///< in the order of metrics()
  bool verdict_changed = false;
  bool text_changed = false;  ///< the scenario is another one than that of the baseline
  /// Both runs go on to a horizon, and that is another one: shares are judged in place of amounts.
  bool length_changed = false;
  std::vector<std::size_t> not_judged;      ///< metrics that are judged and the baseline lacks
  std::optional<TraceDifference> decision;  ///< the first that acts otherwise
  std::optional<TraceDifference> limit;     ///< before it the first with another budget's limit

  bool operator==(const Judgement&) const = default;
};

/// A worse verdict is worse, a better one better; where it was failed and is stuck, or the other
/// way round, outcome and useful work decide before it does. Else the first rank of metrics in
/// which one changed by more than its margin decides: worse if one of them is worse. A value that
/// the baseline lacks is not judged, which is a change; so are useful_us and useful_share of an
/// elastic job in a baseline that took a smaller group's for a whole one's. Of runs to other
/// horizons outcome, useful_share and ETTR are judged. `margins`: those that are not the usual
/// ones.
Judgement judge(const BaselineRun& told, const BaselineRun& now, const TimedTrace& trace,
                const Margins& margins);

/// The margin of a metric by those given, else the usual one; none: it is not judged.
std::optional<Margin> margin_for(std::string_view metric, const Margins& margins);

/// The place of a verdict in 6 5 2 4 3 1 7 8 0 (design.md 5), the worst highest.
int badness(Verdict verdict);

}  // namespace aftershock::reports
