#include "sim/chaos/survey.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/json_as_text.h"
#include "sim/chaos/recovery_phase.h"
#include "sim/control/external/channel.h"
#include "sim/engine/isolate.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::chaos {
namespace {

/// Instances of a phase that are looked at. A phase that a job enters more often before anything
/// breaks, as it does the training between checkpoints, is struck in an early one.
constexpr std::uint32_t kInstances = 24;

using Instances = std::vector<std::vector<PhaseInstance>>;  ///< by row

/// Runs the scenario as it is, where its policy is external and may fail by itself.
void demand_healthy(const nlohmann::ordered_json& bare, const Setting& setting,
                    const std::string& name) {
  if (setting.policies == nullptr) {
    return;
  }
  scenario::ReadOptions options;
  options.policies = setting.policies;
  auto read = scenario::read_scenario_text(policies::text_from_json(bare), name, options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  AFTERSHOCK_ASSERT(checked != nullptr);
  const auto scenario = std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
  const auto why_failed = [&] {
    simulate::SimulateOptions silent;
    silent.words = false;
    const reports::RunSummary summary = simulate::simulate(scenario, silent);
    const bool failed = summary.verdict == reports::Verdict::kPolicyFailed;
    return failed ? summary.verdict_reason : std::string();
  };
  const auto why = simulate::may_contend(*scenario) ? engine::run_isolated(why_failed)
                                                    : std::optional(why_failed());
  if (why && !why->empty()) {
    demand_policy(reports::Verdict::kPolicyFailed, *why, name);
  }
}

/// Runs the scenario with what is in `faults`, and tells every instance of every phase.
Instances instances_of(nlohmann::ordered_json scenario, nlohmann::ordered_json faults,
                       const Setting& setting, const std::string& name) {
  const auto rows = recovery_phases();
  const std::size_t own = faults.size();
  for (const RecoveryPhase& row : rows) {
    for (std::uint32_t nth = 1; nth <= kInstances; ++nth) {
      // An offset that is a share of an unknown length: it waits, and only tells the length.
      faults.push_back({{"id", fmt::format("{}-{}", scenario::name_of(row.phase), nth)},
                        {"kind", "user_interrupt"},
                        {"target", "job:" + setting.job_name},
                        {"when",
                         {{"enter", scenario::name_of(row.phase)},
                          {"job", setting.job_name},
                          {"nth", nth},
                          {"offset", "50%"}}}});
    }
  }
  scenario["faults"] = std::move(faults);
  scenario::ReadOptions options;
  options.policies = setting.policies;
  auto read = scenario::read_scenario_text(policies::text_from_json(scenario), name, options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  AFTERSHOCK_ASSERT(checked != nullptr);
  const auto probes = simulate::probe_triggers(
      std::make_shared<const scenario::Scenario>(std::move(checked->scenario)));
  Instances found(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::uint32_t nth = 1; nth <= kInstances; ++nth) {
      const faults::TriggerProbe& probe = probes[own + row * kInstances + nth - 1];
      if (probe.began_us && probe.length_us) {
        found[row].push_back({nth, *probe.began_us, *probe.length_us, probe.processes,
                              probe.committed, probe.later_attempt, probe.hangs_looked_for});
      }
    }
  }
  return found;
}

std::optional<PhaseInstance> first_after(const std::vector<PhaseInstance>& instances,
                                         std::int64_t t_us) {
  for (const PhaseInstance& instance : instances) {
    if (instance.began_us >= t_us) {
      return instance;
    }
  }
  return std::nullopt;
}

}  // namespace

std::span<const FirstFault> first_faults() {
  static constexpr std::array<FirstFault, 10> kFirstFaults{{
      {"", false, false, false, false},
      {"worker_crash", true, false, false, false},
      {"node_crash", true, true, false, false},
      {"node_crash", true, true, true, false},
      {"hang", false, false, false, false},
      {"preemption", true, true, false, false},
      {"accelerator_fault", true, false, false, false},
      {"head_crash", true, false, false, false},
      {"partition", true, true, false, false},
      {"node_crash", true, true, true, true},
  }};
  return kFirstFaults;
}

nlohmann::ordered_json bare_scenario(const scenario::Scenario& scenario) {
  nlohmann::ordered_json bare = *scenario.resolved;
  for (const char* key : {"faults", "expect", "check", "tags"}) {
    bare.erase(key);
  }
  return bare;
}

void demand_policy(reports::Verdict verdict, const std::string& reason, const std::string& name) {
  if (verdict == reports::Verdict::kPolicyFailed) {
    throw control::PolicyFailed(fmt::format("{}: {}: {}", name, name_of(verdict), reason));
  }
}

void give_time(nlohmann::ordered_json& bare, const scenario::Scenario& scenario,
               std::int64_t healthy_us) {
  constexpr std::int64_t kTimes = 4;
  if (scenario.until_us && *scenario.until_us / kTimes < healthy_us) {
    bare["until"] = fmt::format("{}us", healthy_us * kTimes);
  }
}

nlohmann::ordered_json first_fault_list(const FirstFault& first_fault, const Setting& setting,
                                        std::int64_t at_us) {
  auto faults = nlohmann::ordered_json::array();
  if (first_fault.kind.empty()) {
    return faults;
  }
  const std::string at = fmt::format("{}us", at_us);
  if (first_fault.takes_spare) {
    faults.push_back(
        {{"id", "spare"}, {"kind", "node_crash"}, {"target", *setting.spare_node}, {"at", at}});
  }
  if (first_fault.denied) {
    faults.push_back({{"id", "market"},
                      {"kind", "capacity_denial"},
                      {"target", setting.pool},
                      {"at", at},
                      {"lasts", "10min"}});
  }
  nlohmann::ordered_json fault{{"id", "first"}, {"kind", first_fault.kind}};
  fault["target"] = first_fault.kind == "head_crash" ? setting.head
                    : first_fault.takes_node         ? setting.victim_node
                                                     : rank_target(setting, setting.victim);
  if (first_fault.kind == "preemption") {
    fault["notice"] = "2min";
  } else if (first_fault.kind == "accelerator_fault") {
    fault["code"] = setting.npu ? "80E01801" : "xid:94";
  } else if (first_fault.kind == "partition") {
    fault["lasts"] = "45s";
  }
  fault["at"] = at;
  faults.push_back(std::move(fault));
  return faults;
}

std::vector<std::optional<PhaseInstance>> survey_after(const nlohmann::ordered_json& bare,
                                                       const nlohmann::ordered_json& faults,
                                                       const Setting& setting,
                                                       const std::string& name, std::int64_t t_us) {
  const auto rows = recovery_phases();
  const Instances broken = instances_of(bare, faults, setting, name);
  std::vector<std::optional<PhaseInstance>> found(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].in_recovery) {
      found[row] = first_after(broken[row], t_us);
    }
  }
  return found;
}

std::variant<SurveyResult, std::string> survey(const nlohmann::ordered_json& bare,
                                               const Setting& setting, const std::string& name) {
  demand_healthy(bare, setting, name);
  const auto rows = recovery_phases();
  const Instances healthy = instances_of(bare, nlohmann::ordered_json::array(), setting, name);
  const std::vector<PhaseInstance>& trainings = healthy.front();
  AFTERSHOCK_ASSERT(rows.front().phase == scenario::Phase::kTraining);
  if (trainings.empty()) {
    return fmt::format("job {} never trains, so that nothing can break it", setting.job_name);
  }
  // Two checkpoints before it, the first of which counts.
  constexpr std::size_t kThird = 2;
  const PhaseInstance& struck = trainings[std::min(kThird, trainings.size() - 1)];
  SurveyResult result;
  result.opened_us = struck.began_us + struck.length_us / 2;
  for (const auto& instances : healthy) {
    for (const PhaseInstance& instance : instances) {
      result.healthy_us = std::max(result.healthy_us, instance.began_us + instance.length_us);
    }
  }
  for (const FirstFault& first_fault : first_faults()) {
    std::vector<std::optional<PhaseInstance>> found(rows.size());
    if (first_fault.kind.empty()) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].in_recovery && !healthy[row].empty()) {
          found[row] = healthy[row][std::min(kThird, healthy[row].size() - 1)];
        }
      }
    } else if (!first_fault.takes_spare || setting.spare_node) {
      found = survey_after(bare, first_fault_list(first_fault, setting, result.opened_us), setting,
                           name, result.opened_us);
    }
    result.phases.push_back(std::move(found));
  }
  return result;
}

}  // namespace aftershock::sim::chaos
