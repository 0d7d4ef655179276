#include "sim/chaos/failure.h"

#include <algorithm>
#include <utility>

#include "sim/engine/isolate.h"
#include "sim/scenario/read.h"
#include "sim/world/simulate.h"

namespace aftershock::sim {

std::optional<Failure> failure_of(const reports::RunSummary& summary) {
  using reports::Verdict;
  if (summary.verdict == Verdict::kStuck) {
    return Failure{"stuck", summary.verdict_reason};
  }
  if (summary.verdict != Verdict::kFailed) {
    return std::nullopt;
  }
  if (!summary.violations.empty()) {
    const reports::Violation& first = summary.violations.front();
    return Failure{first.id, first.what};
  }
  const auto failed = std::ranges::find(summary.expect, false, &reports::ExpectResult::ok);
  return failed == summary.expect.end()
             ? std::nullopt
             : std::optional(Failure{failed->at, summary.verdict_reason});
}

std::optional<Failure> failure_of(const nlohmann::ordered_json& scenario, const std::string& name) {
  auto read = read_scenario_text(scenario.dump(), name);
  auto* checked = std::get_if<ReadScenario>(&read);
  if (checked == nullptr) {
    return std::nullopt;
  }
  const auto ready = std::make_shared<const Scenario>(std::move(checked->scenario));
  SimulateOptions options;
  options.max_entries = 1'000'000;  // what is tried may go on for ever
  if (!may_contend(*ready)) {
    return failure_of(simulate(ready, options));
  }
  const auto bytes = run_isolated([&] {
    const auto failure = failure_of(simulate(ready, options));
    return failure ? failure->id + '\0' + failure->words : std::string();
  });
  if (!bytes || bytes->empty()) {
    return std::nullopt;
  }
  const std::size_t end = bytes->find('\0');
  return Failure{bytes->substr(0, end), bytes->substr(end + 1)};
}

}  // namespace aftershock::sim
