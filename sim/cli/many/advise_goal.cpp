#include "sim/cli/many/advise_goal.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "reports/results/metrics.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::cli {

std::string survival_added(const scenario::Expression& goal) {
  const auto asks = [&goal](std::string_view event) {
    return std::ranges::any_of(goal.terms, [event](const scenario::Term& term) {
      return term.kind == scenario::Term::Kind::kProbability && term.name == event;
    });
  };
  if (!goal.objective || asks("alive") || asks("completed") || (asks("failed") && asks("stuck"))) {
    return {};
  }
  const scenario::Term& reached = goal.terms[goal.objective->term];
  if (reached.kind == scenario::Term::Kind::kProbability) {
    return {};
  }
  const std::string& objective = reached.name;
  if (objective == "finish_us") {
    return "p(completed) > 95%";
  }
  // Nodes may cost more the longer a job lives, while what it does per hour stays as it is.
  const bool any_length = reports::compares_lives(objective) && objective != "cost_per_useful_hour";
  return any_length ? "" : "p(alive) > 95%";
}

std::string never_completes(const scenario::Expression& goal, const scenario::Scenario& scenario) {
  const bool asked = std::ranges::any_of(goal.terms, [](const scenario::Term& term) {
    return term.name == "completed" || term.name == "finish_us";
  });
  const bool ends = !scenario.experiments.empty() ||
                    std::ranges::any_of(scenario.jobs, [](const scenario::JobSpec& job) {
                      return job.steps.has_value();
                    });
  return !asked || ends ? std::string()
                        : fmt::format(
                              "--goal {}: no job completes, as none has steps; expected "
                              "/jobs/0/steps in the scenario, or another goal",
                              scenario::in_quotes(goal.text));
}

}  // namespace aftershock::sim::cli
