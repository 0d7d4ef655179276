#include "reports/results/checked_row.h"

#include <cmath>
#include <variant>

#include <fmt/format.h>

namespace aftershock::reports {
namespace {

// Sums and roundings of such values stay within 64 bits.
constexpr double kLargestReal = 4.6e18;

std::string_view words_for(Statement::Holds holds) {
  switch (holds) {
    case Statement::Holds::kNothing:
      return "nothing";
    case Statement::Holds::kWhole:
      return "a whole number";
    case Statement::Holds::kReal:
      return "a number with a fraction";
    case Statement::Holds::kText:
      return "text";
    case Statement::Holds::kBytes:
      return "bytes";
  }
  return "something else";
}

}  // namespace

void CheckedRow::refuse(int column, std::string_view name, const std::string& expected) {
  if (!problem_.empty()) {
    return;
  }
  const auto holds = statement_.holds(column);
  const std::string value =
      holds == Statement::Holds::kWhole  ? fmt::format("{}", statement_.whole(column))
      : holds == Statement::Holds::kReal ? fmt::format("{}", *number_of(statement_.value(column)))
                                         : std::string(words_for(holds));
  problem_ = fmt::format("its column {} holds {}; expected {}", name, value, expected);
}

std::int64_t CheckedRow::whole(int column, std::string_view name, std::int64_t least,
                               std::int64_t most) {
  const std::int64_t value = statement_.whole(column);
  if (statement_.holds(column) == Statement::Holds::kWhole && value >= least && value <= most) {
    return value;
  }
  refuse(column, name, fmt::format("a whole number from {} to {}", least, most));
  return least;
}

std::uint32_t CheckedRow::count(int column, std::string_view name, std::uint32_t most) {
  return static_cast<std::uint32_t>(whole(column, name, 0, most));
}

std::string CheckedRow::text(int column, std::string_view name) {
  if (statement_.holds(column) == Statement::Holds::kText) {
    return statement_.text(column);
  }
  refuse(column, name, "text");
  return {};
}

MetricValue CheckedRow::number(int column, std::string_view name, bool may_be_negative) {
  MetricValue value = statement_.value(column);
  const auto holds = statement_.holds(column);
  const auto* real = std::get_if<double>(&value);
  const bool typed = holds == Statement::Holds::kNothing || holds == Statement::Holds::kWhole ||
                     (real != nullptr && std::isfinite(*real) && std::abs(*real) <= kLargestReal);
  if (typed && (may_be_negative || number_of(value).value_or(0) >= 0)) {
    return value;
  }
  refuse(column, name,
         may_be_negative ? "a number of at most 4.6e18, or nothing"
                         : "a number from 0 to 4.6e18, or nothing");
  return {};
}

}  // namespace aftershock::reports
