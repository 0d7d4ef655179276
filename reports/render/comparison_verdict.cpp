#include "reports/render/comparison_verdict.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/render/metric_text.h"

namespace aftershock::reports {
namespace {

const MetricDifference* find_metric(const CellDifference& difference, std::string_view name) {
  const auto found = std::ranges::find(difference.metrics, name, &MetricDifference::name);
  return found == difference.metrics.end() ? nullptr : &*found;
}

/// Whether one of two runs of a pair failed or is stuck and the other is not.
bool survival_differs(const CellDifference& difference) {
  const MetricDifference* alive = find_metric(difference, "alive");
  return alive != nullptr && alive->difference.equal != alive->difference.pairs;
}

/// "survives more often than A: 30 of 30 runs are alive at the end, 12 of the other", with "may" in
/// front of a difference that chance explains. Of one history: "survives where A does not".
std::string survival_text(const CellDifference& difference, const std::string& first,
                          History history) {
  const MetricDifference& alive = *find_metric(difference, "alive");
  if (history == History::kOne) {
    return alive.second > alive.first ? fmt::format("survives where {} does not", first)
                                      : fmt::format("does not survive where {} does", first);
  }
  const auto pairs = static_cast<double>(alive.difference.pairs);
  const auto here = std::llround(alive.second * pairs);
  const auto there = std::llround(alive.first * pairs);
  const std::string_view more_or_less = here > there ? "more often than" : "less often than";
  // An interval by Student's law of runs that are all 0 or 1 is too narrow where few differ.
  constexpr double kLevel = 0.05;
  const bool chance = alive.difference.sign_p >= kLevel;
  return fmt::format("{} {} {}{}: {} of {} runs are alive at the end, {} of the other",
                     chance && here != there ? "may survive" : "survives",
                     here == there ? "as often as" : more_or_less, first,
                     here == there ? ", in other runs" : "", here, alive.difference.pairs, there);
}

}  // namespace

std::string label_text(const Comparison& comparison, std::uint32_t cell, const Style& style) {
  return printable(comparison.header.cells[cell].label, style.unicode);
}

bool is_told_apart(const Estimate& mean) {
  return mean.interval && (mean.interval->low > 0 || mean.interval->high < 0);
}

bool is_judged(const CellDifference& difference, const MetricDifference& metric) {
  return metric.better != Better::kNeither &&
         (compares_lives(metric.name) || difference.ended_apart == 0);
}

bool is_the_same(const CellDifference& difference) {
  return difference.identical == difference.pairs &&
         std::ranges::all_of(difference.metrics, [](const MetricDifference& metric) {
           return metric.difference.equal == metric.difference.pairs;
         });
}

std::string verdict_line(const Comparison& comparison, const CellDifference& difference,
                         const Style& style) {
  const std::string first = label_text(comparison, difference.first, style);
  const std::string second = label_text(comparison, difference.second, style);
  if (difference.pairs == 0) {
    return fmt::format("{}: no run has a value of {} with both", second, comparison.goal);
  }
  const std::string begin = fmt::format(
      "{}: {}", second,
      survival_differs(difference) ? survival_text(difference, first, comparison.history) + "; "
                                   : std::string());
  if (!difference.goal) {
    return fmt::format("{}no run has a value of {} with both", begin, comparison.goal);
  }
  if (is_the_same(difference)) {
    return comparison.history == History::kOne
               ? fmt::format("{}: the same as {}, event by event", second, first)
               : fmt::format("{}: the same as {} in all {} runs, event by event", second, first,
                             difference.pairs);
  }
  const MetricDifference& goal = difference.metrics[*difference.goal];
  const PairedDifference& of = goal.difference;
  const std::string name = printable(metric_title(goal.name), style.unicode);
  if (of.equal == of.pairs) {
    return fmt::format("{}{} is that of {} in every run", begin, name, first);
  }
  const Estimate& mean = of.mean;
  const bool higher = mean.value > 0;
  const auto shown = [&goal, decimals = decimals_of(goal.name, mean.value)](double value) {
    return metric_value(goal.name, value, decimals);
  };
  const std::string size = shown(std::abs(mean.value));
  if (size.find_first_of("123456789") == size.npos) {
    return fmt::format("{}{} is that of {} to all digits that are shown", begin, name, first);
  }
  std::string text = fmt::format("{}{} {} by {}", begin, name, higher ? "higher" : "lower", size);
  if (mean.interval && mean.interval->low != mean.interval->high) {
    const double near = higher ? mean.interval->low : -mean.interval->high;
    const double far = higher ? mean.interval->high : -mean.interval->low;
    // A signed end beside "lower by" would leave open which way it points.
    text += near < 0
                ? fmt::format(" (from {} {} to {} {})", shown(-near), higher ? "lower" : "higher",
                              shown(far), higher ? "higher" : "lower")
                : fmt::format(" ({} to {})", shown(near), shown(far));
  } else if (!mean.interval) {
    text += comparison.history == History::kOne ? "" : " (too few runs)";
  }
  text += fmt::format(" than {}", first);
  if (is_judged(difference, goal) && comparison.history != History::kOne) {
    const bool better = higher == (goal.better == Better::kHigher);
    text += fmt::format(", {} in {} of {} runs", better ? "better" : "worse",
                        better ? goal.better_runs : goal.worse_runs, of.pairs);
  }
  constexpr double kNothing = 0.001;  // of the other's mean
  const bool nothing =
      mean.interval && std::max(std::abs(mean.interval->low), std::abs(mean.interval->high)) <=
                           kNothing * std::abs(goal.first);
  return text + (nothing                                 ? "; that is less than 0.1 % of it"
                 : mean.interval && !is_told_apart(mean) ? "; that may be chance"
                                                         : "");
}

}  // namespace aftershock::reports
