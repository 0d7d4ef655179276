#include <fmt/format.h>

#include "sim/scenario/fields.h"
#include "sim/scenario/keys.h"
#include "sim/scenario/numerals.h"
#include "sim/scenario/sections.h"

namespace aftershock::sim {
namespace {

/// That "/jobs/N/..." speaks of a job there is; the summary lists them in the scenario's order.
void check_job_index(const LocatedValue& at, const std::string& pointer, std::size_t jobs,
                     ErrorList& errors) {
  constexpr std::string_view kJobs = "/jobs/";
  if (!pointer.starts_with(kJobs)) return;
  const std::string_view rest = std::string_view(pointer).substr(kJobs.size());
  const auto index = parse_index(rest.substr(0, rest.find('/')));
  if (index && *index < jobs) return;
  errors.add(at, {fmt::format("{} is no job of the summary", in_quotes(pointer)),
                  jobs == 1 ? "/jobs/0" : fmt::format("/jobs/0 to /jobs/{}", jobs - 1),
                  {}});
}

}  // namespace

void read_expectations(const LocatedValue& list, Scenario& scenario, ErrorList& errors) {
  for (const LocatedValue& value : std::get<LocatedValue::List>(list.data)) {
    const Fields fields(keys::expectation(), value);
    Expectation expectation;
    expectation.at = fields.text("at");
    if (const LocatedValue* is = fields.written("is")) expectation.is = to_json(*is);
    expectation.min = fields.optional_number("min");
    expectation.max = fields.optional_number("max");
    expectation.near = fields.optional_number("near");
    if (fields.has("within")) expectation.within = fields.number("within");
    if (expectation.min && expectation.max && *expectation.min > *expectation.max) {
      errors.add(*fields.written("min"), {"\"min\" is above \"max\"", "at most \"max\"", {}});
    }
    check_job_index(*fields.written("at"), expectation.at, scenario.jobs.size(), errors);
    scenario.expect.push_back(std::move(expectation));
  }
}

}  // namespace aftershock::sim
