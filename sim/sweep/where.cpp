#include "sim/sweep/where.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::sweep {

std::string_view unquoted(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.starts_with('"') && value.ends_with('"');
  return quoted ? value.substr(1, value.size() - 2) : value;
}

std::optional<double> amount_of(std::string_view text) {
  text = unquoted(text);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc{} && stopped == end) {
    return number;
  }
  if (const auto duration = scenario::parse_duration(text);
      std::holds_alternative<std::int64_t>(duration)) {
    return static_cast<double>(std::get<std::int64_t>(duration));
  }
  if (const auto share = scenario::parse_percentage(text);
      std::holds_alternative<std::int64_t>(share)) {
    return static_cast<double>(std::get<std::int64_t>(share)) / 1e6;
  }
  if (const auto size = scenario::parse_size(text); std::holds_alternative<std::int64_t>(size)) {
    return static_cast<double>(std::get<std::int64_t>(size));
  }
  return std::nullopt;
}

std::variant<std::vector<Point>, std::string> points_where(const std::vector<Point>& points,
                                                           const std::string& condition) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : points.front()) {
    names.push_back(name);
  }
  scenario::Vocabulary vocabulary;
  vocabulary.many_runs = false;
  vocabulary.named_units = false;
  vocabulary.check_metric = [&names](std::string_view name) {
    return scenario::check_one_of(name, names, "varied place");
  };
  auto parsed = scenario::parse_expression(condition, vocabulary);
  if (const auto* problem = std::get_if<scenario::ExpressionProblem>(&parsed)) {
    return scenario::format(scenario::argument_error("--where", condition, *problem));
  }
  const auto& expression = std::get<scenario::Expression>(parsed);
  std::vector<Point> kept;
  for (const Point& point : points) {
    const scenario::Truth truth = scenario::holds(expression, [&point](const scenario::Term& term) {
      const auto found = std::ranges::find(point, term.name, &Point::value_type::first);
      return amount_of(found->second);
    });
    if (truth == scenario::Truth::kUnknown) {
      return fmt::format("--where: compares a value that is not a number, time, size or share");
    }
    if (truth == scenario::Truth::kYes) {
      kept.push_back(point);
    }
  }
  if (kept.empty()) {
    return std::string("--where: holds for none of the cells");
  }
  return kept;
}

}  // namespace aftershock::sim::sweep
