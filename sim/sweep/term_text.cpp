#include "sim/sweep/term_text.h"

#include <cmath>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/results/metrics.h"

namespace aftershock::sim {

std::string share_text(double share) {
  const double percent = share * 100;
  return percent >= 0.001 && percent < 0.1 ? fmt::format("{:.1g} %", percent)
                                           : fmt::format("{:.1f} %", percent);
}

std::string value_text(const Term& term, const std::optional<double>& value) {
  if (!value) {
    return "nothing";
  }
  if (term.kind == Term::Kind::kProbability) {
    return share_text(*value);
  }
  const bool count = term.statistic.of == reports::Statistic::Of::kCount;
  if (!count && term.name.ends_with("_us")) {
    return reports::format_duration(std::llround(*value));
  }
  if (!count && reports::is_share(term.name)) {
    return fmt::format("{:.4f}", *value);
  }
  constexpr double kManyDigits = 1e4;
  return count || std::abs(*value) >= kManyDigits ? reports::format_count(std::llround(*value))
                                                  : fmt::format("{:.6g}", *value);
}

std::string estimate_text(const Term& term, const std::optional<reports::Estimate>& estimate) {
  if (!estimate) {
    return "-";
  }
  const std::string value = value_text(term, estimate->value);
  return estimate->interval
             ? fmt::format("{} ({} to {})", value, value_text(term, estimate->interval->low),
                           value_text(term, estimate->interval->high))
             : value;
}

}  // namespace aftershock::sim
