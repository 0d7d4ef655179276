#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "reports/results/metrics.h"
#include "sim/scenario/expression/parse_many_runs.h"
#include "sim/scenario/keys/keys.h"
#include "sim/scenario/read/sections.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

/// Metrics that can become worse.
std::vector<std::string_view> judged_names() {
  std::vector<std::string_view> names;
  for (const reports::Metric& metric : reports::metrics()) {
    if (metric.better != reports::Better::kNeither) names.push_back(metric.name);
  }
  return names;
}

void read_margin(const LocatedValue& margins, const LocatedMember& member, CheckSpec& check,
                 ErrorList& errors) {
  const std::string_view name = member.key;
  const auto place = reports::metric_named(name);
  if (!place) {
    errors.add_key(margins, member,
                   {fmt::format("unknown metric {}", in_quotes(name)),
                    "a metric, as `sweep` has them in its columns",
                    std::string(policies::nearest_name(name, judged_names()))});
    return;
  }
  if (reports::metrics()[*place].better == reports::Better::kNeither) {
    errors.add_key(margins, member,
                   {fmt::format("more or less of {} is neither better nor worse", in_quotes(name)),
                    "a metric that can become worse, such as ettr or lost_us",
                    {}});
    return;
  }
  reports::Margin margin;
  const auto* text = member.value.get_if<std::string>();
  if (text == nullptr) {
    const auto number = to_json(member.value).get<double>();
    margin.absolute = number;
  } else if (text->ends_with('%')) {
    margin.share = static_cast<double>(std::get<std::int64_t>(parse_percentage(*text))) / 1e6;
  } else if (!name.ends_with("_us")) {
    errors.add(member.value, {fmt::format("{} is not a duration", in_quotes(name)),
                              "a number, or a share such as \"1%\"",
                              {}});
    return;
  } else {
    margin.absolute = static_cast<double>(std::get<std::int64_t>(parse_duration(*text)));
  }
  check.margins.emplace(name, margin);
}

void read_joint_condition(const LocatedValue& value, const Scenario& scenario, CheckSpec& check,
                          ErrorList& errors) {
  auto parsed = parse_many_runs(std::get<std::string>(value.data), scenario, false);
  if (auto* problem = std::get_if<ExpressionProblem>(&parsed)) {
    problem->problem.message += fmt::format(", at character {}", problem->column);
    errors.add(value, std::move(problem->problem));
    return;
  }
  auto& expression = std::get<Expression>(parsed);
  const auto pointer = std::ranges::find_if(expression.terms, [](const Term& term) {
    return term.kind == Term::Kind::kMetric && term.name.starts_with('/');
  });
  if (pointer != expression.terms.end()) {
    errors.add(value, {fmt::format("{} is of one run", pointer->text),
                       "a metric, as `sweep` has them in its columns; `expect` takes pointers",
                       {}});
    return;
  }
  check.that.push_back(std::move(expression));
}

}  // namespace

void read_check(const LocatedValue& value, const Scenario& scenario, CheckSpec& check,
                ErrorList& errors) {
  const Fields fields(keys::check(), value);
  if (fields.has("seeds")) check.seeds = fields.count("seeds");
  const LocatedValue& margins = fields.value("margins");
  for (const LocatedMember& member : std::get<LocatedValue::Members>(margins.data)) {
    read_margin(margins, member, check, errors);
  }
  for (const LocatedValue& condition : fields.list("that")) {
    read_joint_condition(condition, scenario, check, errors);
  }
}

}  // namespace aftershock::sim::scenario
