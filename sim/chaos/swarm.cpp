#include "sim/chaos/swarm.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/chaos/fault_family.h"
#include "sim/chaos/recovery_phase.h"
#include "sim/chaos/survey.h"
#include "sim/engine/random.h"
#include "sim/scenario/fault_catalogue.h"

namespace aftershock::sim {
namespace {

using Json = nlohmann::ordered_json;

/// Draws of one seed, one after the other; no other part of a run takes any of them.
class SwarmDice {
 public:
  explicit SwarmDice(std::uint64_t seed) : key_{seed, 0, RandomSource::kSwarm, 0} {}

  std::uint32_t index(std::uint32_t count) {
    return draw_index(count, RandomDraw(key_, next_++, Purpose::kSwarm));
  }
  bool half() { return index(2) == 0; }
  /// Uniform over 0 .. most.
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(static_cast<long double>(most) *
                                     draw_unit(RandomDraw(key_, next_++, Purpose::kSwarm)));
  }

 private:
  RandomKey key_;
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

void suppress(Json& scenario, const SwarmBase& base, SwarmDice& dice) {
  Json& job = scenario["jobs"][base.setting.job];
  Json& pool = scenario["cluster"]["pools"][base.pool];
  if (dice.half()) {
    const auto found = std::ranges::find(kEndless, base.policy, &EndlessBudget::policy);
    if (found != kEndless.end()) {
      job["policy"]["config"][std::string(found->key)] = Json::parse(found->value);
    }
  }
  if (dice.half()) {
    pool["replacement"] = "now";
  }
  if (dice.half() && job.contains("checkpoint")) {
    job["checkpoint"].erase("every");
    job["checkpoint"]["every_steps"] = 1;
  }
  if (dice.half()) {
    job["detection"] = {{"fixed", "1s"}};
  }
}

/// How many spares there are now.
std::uint32_t permute(Json& scenario, const SwarmBase& base, SwarmDice& dice) {
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

std::string swarm_target(const FaultFamily& family, const SwarmBase& base, std::uint32_t spares,
                         SwarmDice& dice) {
  switch (family.aim) {
    case Aim::kHead:
      return base.setting.head;
    case Aim::kSaves:
      return "job:" + base.setting.job_name;
    case Aim::kProcess:
      return rank_target(base.setting, dice.index(base.workers));
    case Aim::kNode:
      break;
  }
  const std::string pool = base.bare["cluster"]["pools"][base.pool].value("name", "");
  const std::uint32_t node = dice.index(base.nodes + spares);
  return node < base.nodes ? fmt::format("node:{}-{}", pool, node)
                           : fmt::format("node:{}-spare-{}", pool, node - base.nodes);
}

Json swarm_fault(const FaultFamily& family, const SwarmBase& base, std::uint32_t spares,
                 SwarmDice& dice) {
  Json fault{{"kind", name_of(family.kind)}, {"target", swarm_target(family, base, spares, dice)}};
  const std::string_view members = base.setting.npu ? family.npu : family.gpu;
  fault.update(Json::parse("{" + std::string(members) + "}"));
  if (dice.half()) {
    constexpr std::int64_t kSecondUs = 1'000'000;
    fault["at"] = fmt::format("{}s", dice.up_to(base.healthy_us + base.healthy_us / 4) / kSecondUs);
    return fault;
  }
  constexpr std::int64_t kLongestMs = 60'000;
  const auto phases = recovery_phases();
  const auto& phase = phases[dice.index(static_cast<std::uint32_t>(phases.size()))];
  fault["when"] = {{"enter", name_of(phase.phase)},
                   {"job", base.setting.job_name},
                   {"nth", 1 + dice.index(3)},
                   {"offset", dice.half() ? "0s" : fmt::format("{}ms", dice.up_to(kLongestMs))}};
  return fault;
}

}  // namespace

SwarmBase swarm_base(const Scenario& scenario, std::uint32_t job, std::int64_t healthy_us) {
  SwarmBase base;
  base.bare = bare_scenario(scenario);
  base.setting = setting_of(scenario, job);
  base.policy = scenario.jobs[job].policy.name;
  base.pool = scenario.jobs[job].pool;
  base.nodes = scenario.cluster.pools[base.pool].nodes;
  base.workers = scenario.jobs[job].workers;
  base.healthy_us = healthy_us;
  return base;
}

Json swarm_scenario(const SwarmBase& base, std::uint64_t seed) {
  SwarmDice dice(seed);
  Json scenario = base.bare;
  scenario["seed"] = seed;
  suppress(scenario, base, dice);
  const std::uint32_t spares = permute(scenario, base, dice);
  std::vector<Json> faults;
  for (const FaultFamily& family : fault_families()) {
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
  scenario["faults"] = std::move(list);
  return scenario;
}

}  // namespace aftershock::sim
