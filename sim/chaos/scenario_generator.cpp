#include "sim/chaos/scenario_generator.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/chance/draws.h"
#include "sim/chaos/fault_family.h"
#include "sim/chaos/recovery_phase.h"
#include "sim/chaos/survey.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::chaos {
namespace {

using Json = nlohmann::ordered_json;

/// Draws of one seed, one after the other; no other part of a run takes any of them.
class GeneratorDice {
 public:
  explicit GeneratorDice(std::uint64_t seed) : key_{seed, 0, chance::RandomSource::kGenerator, 0} {}

  std::uint32_t index(std::uint32_t count) {
    return chance::draw_index(count,
                              chance::RandomDraw(key_, next_++, chance::Purpose::kGenerator));
  }
  bool half() { return index(2) == 0; }
  /// Uniform over 0 .. most.
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(
        static_cast<double>(most) *
        chance::draw_unit(chance::RandomDraw(key_, next_++, chance::Purpose::kGenerator)));
  }

 private:
  chance::RandomKey key_;
  std::uint64_t next_ = 0;
};

/// How a policy is given a budget without end.
struct EndlessBudget {
  std::string_view policy;
  std::string_view key;
  std::string_view value;  ///< as JSON
};
constexpr std::array<EndlessBudget, 3> kEndless{{
    {"ray_train", "max_failures", "-1"},
    {"ray_train_v1", "max_failures", "-1"},
    {"modelarts", "fault-tolerance/job-retry-num", "\"128\""},
}};

void suppress(Json& scenario, const GeneratorBase& base, GeneratorDice& dice) {
  Json& job = scenario["jobs"][base.setting.job];
  Json& pool = scenario["cluster"]["pools"][base.pool];
  if (dice.half()) {
    const auto found = std::ranges::find(kEndless, base.policy, &EndlessBudget::policy);
    if (found != kEndless.end()) {
      job["policy"]["config"][std::string(found->key)] =
          policies::json_from_text<Json>(found->value);
    }
  }
  if (dice.half()) {
    pool["replacement"] = "now";
  }
  if (dice.half() && job.contains("checkpoint")) {
    job["checkpoint"].erase("every");
    job["checkpoint"]["every_steps"] = base.save_every_steps;
  }
  // With it the ranks that wait do not give up by themselves, and some policies leave it to them.
  if (dice.half() && !base.setting.leaves_peers) {
    job["detection"] = {{"fixed", "1s"}};
  }
}

/// How many spares there are now.
std::uint32_t permute(Json& scenario, const GeneratorBase& base, GeneratorDice& dice) {
  Json& job = scenario["jobs"][base.setting.job];
  Json& pool = scenario["cluster"]["pools"][base.pool];
  const std::uint32_t spares = dice.index(3);
  pool["spares"] = spares;
  constexpr std::array<const char*, 4> kRepairs{"1min", "15min", "30min", "3h"};
  pool["repair"] = kRepairs.at(dice.index(kRepairs.size()));
  if (job.contains("checkpoint") && job["checkpoint"].contains("every")) {
    constexpr std::array<const char*, 4> kIntervals{"1min", "5min", "10min", "30d"};
    job["checkpoint"]["every"] = kIntervals.at(dice.index(kIntervals.size()));
    job["checkpoint"]["keep"] = 1 + dice.index(3);
  }
  return spares;
}

std::string swarm_target(const FaultFamily& family, const GeneratorBase& base, std::uint32_t spares,
                         GeneratorDice& dice) {
  switch (family.aim) {
    case Aim::kHead:
      return base.setting.head;
    case Aim::kSaves:
    case Aim::kCommitted:
    case Aim::kMessages:
      return "job:" + base.setting.job_name;
    case Aim::kStorage:
      return "storage:" + *base.setting.storage;
    case Aim::kReplacement:
      return base.setting.pool;
    case Aim::kRack:
      return fmt::format("rack:{}/{}", base.pool_name, dice.index(base.racks));
    case Aim::kProcess:
      return rank_target(base.setting, dice.index(base.workers));
    case Aim::kNode:
      break;
  }
  const std::uint32_t node = dice.index(base.nodes + spares);
  return node < base.nodes ? fmt::format("node:{}-{}", base.pool_name, node)
                           : fmt::format("node:{}-spare-{}", base.pool_name, node - base.nodes);
}

/// Whether there is anything for the family to strike.
bool strikes_something(const FaultFamily& family, const Json& scenario, const GeneratorBase& base) {
  const Json& pool = scenario["cluster"]["pools"][base.pool];
  const bool replaces = pool.value("spares", std::uint32_t{0}) > 0 ||
                        pool.value("replacement", std::string("none")) != "none";
  return (family.aim != Aim::kStorage || base.setting.storage) &&
         (family.aim != Aim::kReplacement || replaces);
}

Json swarm_fault(const FaultFamily& family, const GeneratorBase& base, std::uint32_t spares,
                 GeneratorDice& dice) {
  Json fault{{"kind", scenario::name_of(family.kind)},
             {"target", swarm_target(family, base, spares, dice)}};
  const std::string_view members = base.setting.npu ? family.npu : family.gpu;
  fault.update(policies::json_from_text<Json>("{" + std::string(members) + "}"));
  if (dice.half()) {
    constexpr std::int64_t kSecondUs = 1'000'000;
    fault["at"] = fmt::format("{}s", dice.up_to(base.healthy_us + base.healthy_us / 4) / kSecondUs);
    return fault;
  }
  constexpr std::int64_t kLongestMs = 60'000;
  const auto phases = recovery_phases();
  const auto& phase = phases[dice.index(static_cast<std::uint32_t>(phases.size()))];
  fault["when"] = {{"enter", scenario::name_of(phase.phase)},
                   {"job", base.setting.job_name},
                   {"nth", 1 + dice.index(3)},
                   {"offset", dice.half() ? "0s" : fmt::format("{}ms", dice.up_to(kLongestMs))}};
  return fault;
}

}  // namespace

GeneratorBase generator_base(const scenario::Scenario& scenario, std::uint32_t job,
                             std::int64_t healthy_us) {
  GeneratorBase base;
  base.bare = bare_scenario(scenario);
  base.setting = setting_of(scenario, job);
  base.policy = scenario.jobs[job].policy.name;
  base.pool = scenario.jobs[job].pool;
  base.pool_name = scenario.cluster.pools[base.pool].name;
  base.nodes = scenario.cluster.pools[base.pool].nodes;
  base.racks = scenario.cluster.pools[base.pool].racks;
  base.workers = scenario.jobs[job].workers;
  base.healthy_us = healthy_us;
  return base;
}

Json swarm_scenario(const GeneratorBase& base, std::uint64_t seed) {
  GeneratorDice dice(seed);
  Json scenario = base.bare;
  scenario["seed"] = seed;
  suppress(scenario, base, dice);
  const std::uint32_t spares = permute(scenario, base, dice);
  std::vector<Json> faults;
  for (const FaultFamily& family : fault_families()) {
    if (!strikes_something(family, scenario, base)) {
      continue;
    }
    const bool on = dice.half();
    const std::uint32_t count = 1 + dice.index(3);
    for (std::uint32_t i = 0; on && i < count; ++i) {
      faults.push_back(swarm_fault(family, base, spares, dice));
    }
  }
  // Of one microsecond the first in the list comes first.
  for (std::size_t left = faults.size(); left > 1; --left) {
    std::swap(faults[left - 1], faults[dice.index(static_cast<std::uint32_t>(left))]);
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < faults.size(); ++i) {
    Json fault{{"id", fmt::format("f{}", i)}};
    fault.update(faults[i]);
    list.push_back(std::move(fault));
  }
  // The user gives up, now and then.
  constexpr std::uint32_t kStopEvery = 8;
  if (dice.index(kStopEvery) == 0) {
    constexpr FaultFamily kStop{"", "stop", Aim::kSaves, scenario::FaultKind::kUserInterrupt,
                                "", ""};
    Json fault{{"id", "stop"}};
    fault.update(swarm_fault(kStop, base, spares, dice));
    list.push_back(std::move(fault));
  }
  scenario["faults"] = std::move(list);
  return scenario;
}

namespace {

/// Where a run can be branched: the moment of a fault that came in a recovery of its job.
struct Fork {
  std::int64_t t_us = 0;
  std::vector<bool> kept;  ///< by fault of the scenario: it has struck by then
};

std::optional<Fork> fork_of(const Json& scenario,
                            const std::shared_ptr<policies::PolicySource>& policies,
                            GeneratorDice& dice) {
  scenario::ReadOptions same;
  same.policies = policies;
  auto read = scenario::read_scenario_text(policies::text_from_json(scenario), "branch", same);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  if (checked == nullptr) {
    return std::nullopt;  // nothing branches off what cannot be
  }
  std::vector<faults::FaultRecord> strikes;
  simulate::SimulateOptions options;
  options.words = false;
  options.strikes = &strikes;
  constexpr std::int64_t kMostEntriesOfAParent = 200'000;
  options.max_entries = kMostEntriesOfAParent;
  simulate::simulate(std::make_shared<const scenario::Scenario>(std::move(checked->scenario)),
                     options);
  std::vector<std::int64_t> rare_us;
  for (const faults::FaultRecord& strike : strikes) {
    const auto row = std::ranges::find_if(recovery_phases(), [&](const RecoveryPhase& one) {
      return strike.phase == one.phase && one.in_recovery;
    });
    if (row != recovery_phases().end()) {
      rare_us.push_back(strike.t_us);
    }
  }
  if (rare_us.empty()) {
    return std::nullopt;
  }
  Fork fork;
  fork.t_us = rare_us[dice.index(static_cast<std::uint32_t>(rare_us.size()))];
  fork.kept.resize(scenario["faults"].size());
  for (const faults::FaultRecord& strike : strikes) {
    fork.kept[strike.spec] = fork.kept[strike.spec] || strike.t_us <= fork.t_us;
  }
  return fork;
}

}  // namespace

Json explored_scenario(const GeneratorBase& base, std::uint64_t seed) {
  constexpr std::uint64_t kBranchEvery = 4;
  if (seed % kBranchEvery != kBranchEvery - 1) {
    return swarm_scenario(base, seed);
  }
  GeneratorDice dice(seed);
  Json scenario = swarm_scenario(base, seed - 1 - dice.index(kBranchEvery - 1));
  const auto fork = fork_of(scenario, base.setting.policies, dice);
  if (!fork) {
    return swarm_scenario(base, seed);
  }
  Json faults = Json::array();
  for (std::size_t i = 0; i < fork->kept.size(); ++i) {
    if (fork->kept[i]) {
      faults.push_back(scenario["faults"][i]);
    }
  }
  const auto spares = scenario["cluster"]["pools"][base.pool].value("spares", std::uint32_t{0});
  const std::uint32_t count = 1 + dice.index(3);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto families = fault_families();
    const FaultFamily& family = families[dice.index(static_cast<std::uint32_t>(families.size()))];
    if (!strikes_something(family, scenario, base)) {
      continue;
    }
    constexpr std::int64_t kWithinUs = 900'000'000;
    Json fault{{"id", fmt::format("branch{}", i)}};
    fault.update(swarm_fault(family, base, spares, dice));
    fault.erase("when");
    fault["at"] = fmt::format("{}us", fork->t_us + dice.up_to(kWithinUs));
    faults.push_back(std::move(fault));
  }
  scenario["faults"] = std::move(faults);
  return scenario;
}

}  // namespace aftershock::sim::chaos
