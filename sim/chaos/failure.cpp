#include "sim/chaos/failure.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/control/external/channel.h"
#include "sim/engine/isolate.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"
#include "sim/world/stuck.h"

namespace aftershock::sim::chaos {

namespace {

/// Sees what holds up a run that is stuck, before the world is gone.
class StuckBy final : public simulate::Onlooker {
 public:
  void ended(const world::World& world) override {
    if (world::stuck(world)) {
      kind = world::stuck_kind(world);
    }
  }
  std::string kind;
};

Failure failed_policy(std::string why) {
  return {std::string(name_of(reports::Verdict::kPolicyFailed)), std::move(why)};
}

/// The first of what is wrong with a run; `kind`: what holds it up, where it is stuck.
std::optional<Failure> first_failure(const reports::RunSummary& summary, const std::string& kind) {
  using reports::Verdict;
  if (summary.verdict == Verdict::kStuck) {
    // A job may also be late without being stuck for good.
    return Failure{kind.empty() ? summary.violations.front().id : "stuck: " + kind,
                   summary.verdict_reason};
  }
  if (summary.verdict == Verdict::kPassed) {
    // Only who is in a circle gives a reason while it runs.
    const auto circles = std::ranges::find_if(summary.jobs, [](const reports::JobSummary& job) {
      return job.outcome == "running" && !job.reason.empty();
    });
    return circles == summary.jobs.end() ? std::nullopt
                                         : std::optional(Failure{"running", circles->reason});
  }
  if (summary.verdict == Verdict::kPolicyFailed) {
    return failed_policy(summary.verdict_reason);
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

/// The first line of what is said of a policy, and the last, where an exception has its name; both
/// without numbers.
std::string mistake_in(std::string words) {
  words.erase(words.find_last_not_of(" \n") + 1);
  const std::size_t end = words.find('\n');
  std::string mistake = words.substr(0, end);
  if (end != std::string::npos) {
    mistake += words.substr(words.rfind('\n'));
  }
  std::erase_if(mistake, [](char c) { return c >= '0' && c <= '9'; });
  return mistake;
}

}  // namespace

bool alike(const Failure& one, const Failure& other) {
  return one.id == other.id && (one.id != name_of(reports::Verdict::kPolicyFailed) ||
                                mistake_in(one.words) == mistake_in(other.words));
}

std::optional<Failure> failure_of(const nlohmann::ordered_json& scenario, const std::string& name,
                                  const std::shared_ptr<policies::PolicySource>& policies) {
  scenario::ReadOptions same;
  same.policies = policies;
  scenario::ReadResult read;
  try {
    read = scenario::read_scenario_text(policies::text_from_json(scenario), name, same);
  } catch (const control::PolicyFailed& failed) {
    return failed_policy(failed.what());
  }
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  if (checked == nullptr) {
    return std::nullopt;
  }
  const auto ready = std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
  simulate::SimulateOptions options;
  options.max_entries = 1'000'000;  // a try may go on for ever
  StuckBy stuck_by;
  options.onlooker = &stuck_by;
  const auto run = [&]() -> std::optional<Failure> {
    try {
      return first_failure(simulate::simulate(ready, options), stuck_by.kind);
    } catch (const control::PolicyFailed& failed) {
      return failed_policy(failed.what());
    }
  };
  if (!simulate::may_contend(*ready)) {
    return run();
  }
  const auto bytes = engine::run_isolated([&] {
    const auto failure = run();
    return failure ? failure->id + '\0' + failure->words : std::string();
  });
  if (!bytes || bytes->empty()) {
    return std::nullopt;
  }
  const std::size_t end = bytes->find('\0');
  return Failure{bytes->substr(0, end), bytes->substr(end + 1)};
}

}  // namespace aftershock::sim::chaos
