#include "sim/sweep/term_text.h"

#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/results/metrics.h"

namespace aftershock::sim::sweep {

std::string term_title(const scenario::Term& term) {
  if (term.kind != scenario::Term::Kind::kMetric || !term.name.ends_with("_us") ||
      term.name.starts_with('/')) {
    return term.text;
  }
  const std::string title = reports::metric_title(term.name);
  const std::size_t dot = term.text.find('.');
  return dot == term.text.npos ? title : fmt::format("{} of {}", term.text.substr(dot + 1), title);
}

std::string value_text(const scenario::Term& term, const std::optional<double>& value) {
  if (!value) {
    return "nothing";
  }
  if (term.kind == scenario::Term::Kind::kProbability) {
    return reports::format_share(*value);
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

std::string estimate_text(const scenario::Term& term,
                          const std::optional<reports::Estimate>& estimate) {
  if (!estimate) {
    return "-";
  }
  const std::string value = value_text(term, estimate->value);
  return estimate->interval
             ? fmt::format("{} ({} to {})", value, value_text(term, estimate->interval->low),
                           value_text(term, estimate->interval->high))
             : value;
}

}  // namespace aftershock::sim::sweep
