#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/scenario/expression/measure.h"
#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/expression/run_metric.h"
#include "sim/scenario/expression/summary_places.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

constexpr std::array<std::string_view, 4> kOutcomes{"completed", "failed", "aborted", "running"};

/// The outcome of a job or an experiment is one of four words.
void check_outcome(const Expectation& expectation, const LocatedValue& is, ErrorList& errors) {
  if (!expectation.at.ends_with("/outcome")) return;
  const auto* word = is.get_if<std::string>();
  if (word != nullptr && std::ranges::find(kOutcomes, *word) != kOutcomes.end()) return;
  const std::string_view what =
      expectation.at.starts_with("/experiments/") ? "an experiment" : "a job";
  errors.add(is, {fmt::format("no outcome of {} is {}", what,
                              word == nullptr ? type_phrase(is) : in_quotes(*word)),
                  fmt::format("one of {}", fmt::join(kOutcomes, ", ")),
                  word == nullptr ? std::string()
                                  : std::string(policies::nearest_name(*word, kOutcomes))});
}

void read_condition(const LocatedValue& that, const Scenario& scenario, Expectation& expectation,
                    ErrorList& errors) {
  const auto check_metric = [&](std::string_view name) -> std::optional<TextProblem> {
    auto place = run_metric(name, scenario, NameFirst::kPlace);
    if (auto* problem = std::get_if<TextProblem>(&place)) return std::move(*problem);
    return std::nullopt;
  };
  auto parsed = parse_expression(expectation.at,
                                 {.check_metric = check_metric, .events = {}, .many_runs = false});
  if (auto* problem = std::get_if<ExpressionProblem>(&parsed)) {
    problem->problem.message += fmt::format(", at character {}", problem->column);
    errors.add(that, std::move(problem->problem));
    return;
  }
  expectation.that = std::get<Expression>(std::move(parsed));
  for (Term& term : expectation.that->terms) {
    if (term.kind != Term::Kind::kMetric) continue;
    term.name = std::get<std::string>(run_metric(term.name, scenario, NameFirst::kPlace));
  }
}

}  // namespace

void read_expectations(const LocatedValue& list, Scenario& scenario, ErrorList& errors) {
  for (const LocatedValue& value : std::get<LocatedValue::List>(list.data)) {
    const Fields fields(keys::expectation(), value);
    Expectation expectation;
    if (const LocatedValue* that = fields.written("that")) {
      expectation.at = fields.text("that");
      read_condition(*that, scenario, expectation, errors);
      scenario.expect.push_back(std::move(expectation));
      continue;
    }
    expectation.at = fields.text("at");
    if (const LocatedValue* is = fields.written("is")) expectation.is = to_json(*is);
    expectation.min = fields.optional_number("min");
    expectation.max = fields.optional_number("max");
    expectation.near = fields.optional_number("near");
    if (fields.has("within")) expectation.within = fields.number("within");
    if (expectation.min && expectation.max && *expectation.min > *expectation.max) {
      errors.add(*fields.written("min"), {"\"min\" is above \"max\"", "at most \"max\"", {}});
    }
    for (const auto& [key, bound] : {std::pair{"min", expectation.min},
                                     {"max", expectation.max},
                                     {"near", expectation.near}}) {
      if (auto problem = bound ? beyond_a_share(expectation.at, *bound) : std::nullopt) {
        errors.add(*fields.written(key), *std::move(problem));
      }
    }
    const LocatedValue& at = *fields.written("at");
    if (auto problem = check_summary_place(expectation.at)) {
      errors.add(at, std::move(*problem));
    } else if (auto no_part = check_part_of(expectation.at, scenario)) {
      errors.add(at, std::move(*no_part));
    }
    if (expectation.is) check_outcome(expectation, *fields.written("is"), errors);
    scenario.expect.push_back(std::move(expectation));
  }
}

}  // namespace aftershock::sim::scenario
