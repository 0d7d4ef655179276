#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/numerals.h"
#include "sim/scenario/parse_expression.h"
#include "sim/scenario/sections.h"
#include "sim/scenario/summary_places.h"

namespace aftershock::sim {
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

/// That "/jobs/N/..." speaks of a job there is; the summary lists them in the scenario's order.
/// `list` is "/jobs/" or "/experiments/", `what` one of its elements.
void check_index(const LocatedValue& at, const std::string& pointer, std::string_view list,
                 std::string_view what, std::size_t count, ErrorList& errors) {
  if (!pointer.starts_with(list)) return;
  const std::string_view rest = std::string_view(pointer).substr(list.size());
  const auto index = parse_index(rest.substr(0, rest.find('/')));
  if (index && *index < count) return;
  errors.add(at, {fmt::format("{} is no {} of the summary", in_quotes(pointer), what),
                  count == 0   ? fmt::format("a place outside of {}: the scenario has none", list)
                  : count == 1 ? fmt::format("{}0", list)
                               : fmt::format("{}0 to {}{}", list, list, count - 1),
                  {}});
}

/// Whether a place of the summary is one of this scenario's.
void check_place(const LocatedValue& at, const std::string& pointer, const Scenario& scenario,
                 ErrorList& errors) {
  check_index(at, pointer, "/jobs/", "job", scenario.jobs.size(), errors);
  check_index(at, pointer, "/experiments/", "experiment", scenario.experiments.size(), errors);
}

void read_condition(const LocatedValue& that, const Scenario& scenario, Expectation& expectation,
                    ErrorList& errors) {
  const auto check_metric = [&](std::string_view name) -> std::optional<TextProblem> {
    auto place = metric_place(name, scenario);
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
    term.name = std::get<std::string>(metric_place(term.name, scenario));
    check_place(that, term.name, scenario, errors);
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
    const LocatedValue& at = *fields.written("at");
    if (auto problem = check_summary_place(expectation.at)) {
      errors.add(at, std::move(*problem));
    } else {
      check_place(at, expectation.at, scenario, errors);
    }
    if (expectation.is) check_outcome(expectation, *fields.written("is"), errors);
    scenario.expect.push_back(std::move(expectation));
  }
}

}  // namespace aftershock::sim
