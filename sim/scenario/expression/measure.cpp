#include "sim/scenario/expression/measure.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/scenario/expression/run_metric.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {
namespace {

/// Times are named so: wall_us, ledger_us.productive, /jobs/0/lost/us.
bool names_time(std::string_view name) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("./"), name.size());
    const std::string_view part = name.substr(0, end);
    if (part == "us" || part.ends_with("_us")) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

std::optional<TextProblem> share_problem(std::string_view name, double number) {
  if (number >= 0 && number <= 1) {
    return std::nullopt;
  }
  constexpr double kPercent = 100;
  return TextProblem{fmt::format("{} is a share, from 0 to 1", in_quotes(name)),
                     number > 1 && number <= kPercent
                         ? fmt::format("{:g}, which is {:g} %", number / kPercent, number)
                         : std::string("a number from 0 to 1"),
                     {}};
}

/// Of one run `completed` may be a number of trials, so that names of outcomes are not meant.
bool is_ratio(std::string_view name) {
  return name.ends_with("ettr") || name.ends_with("useful_share");
}

}  // namespace

Measure measure_of(const Term& term) {
  if (term.kind == Term::Kind::kNumber) {
    const char last = term.text.back();
    return last == '%' ? Measure::kShare
                       : (last < '0' || last > '9' ? Measure::kTime : Measure::kPlain);
  }
  const bool time = term.kind == Term::Kind::kMetric && names_time(term.name) &&
                    term.statistic.of != reports::Statistic::Of::kCount;
  return time ? Measure::kTimeMetric : Measure::kMetric;
}

std::optional<TextProblem> beyond_a_share(const Term& metric, const Term& number) {
  const bool share = metric.kind == Term::Kind::kProbability ||
                     (metric.kind == Term::Kind::kMetric && is_ratio(metric_meant(metric.name)));
  return share && metric.statistic.of != reports::Statistic::Of::kCount &&
                 measure_of(number) != Measure::kTime
             ? share_problem(metric.text, number.number)
             : std::nullopt;
}

std::optional<TextProblem> beyond_a_share(std::string_view place, double bound) {
  return is_ratio(place) ? share_problem(place, bound) : std::nullopt;
}

}  // namespace aftershock::sim::scenario
