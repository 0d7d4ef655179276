#include "gui/why/trials.h"

#include "gui/why/summary_line.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

TrialEnd trial_from(const reports::JsonValue& told, const std::string& experiment,
                    std::int64_t number) {
  const auto count = [&](const char* name) { return reports::integer_in(told, name).value_or(0); };
  return {.experiment = experiment,
          .number = number,
          .id = reports::text_in(told, "id"),
          .status = reports::text_in(told, "status"),
          .iterations = count("iterations"),
          .failures = count("failures"),
          .restores = count("restores"),
          .lost_us = reports::integer_in(reports::part(told, "lost"), "us").value_or(0)};
}

}  // namespace

std::vector<TrialEnd> trial_ends(const Trace& trace) {
  // A summary can be long, and most runs have no experiment.
  if (trace.header.experiments.empty()) {
    return {};
  }
  const reports::JsonValue line = reports::parsed(trace.summary_json);
  std::vector<TrialEnd> trials;
  for (const reports::JsonValue& experiment : reports::part(summary_in(line), "experiments")) {
    const std::string name = reports::text_in(experiment, "name");
    std::int64_t number = 0;
    for (const reports::JsonValue& told : reports::part(experiment, "trials")) {
      trials.push_back(trial_from(told, name, number++));
    }
  }
  return trials;
}

}  // namespace aftershock::gui
