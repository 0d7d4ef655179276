#include "tests/property/random_experiments.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;

Json resources(Dice& dice, const PoolFacts& pool) {
  switch (dice.below(4)) {
    case 0:
      return {{"accelerators", dice.any({0.1, 0.3, 0.5, 0.0007})}};
    case 1:
      return {{"nodes", dice.between(1, pool.nodes)}};
    default:
      return {{"accelerators", dice.between(1, pool.per_node)}};
  }
}

Json settings(Dice& dice) {
  Json config = Json::object();
  if (dice.chance(60)) {
    config["max_failures"] = dice.any({-1, 0, 1, 4});
  } else if (dice.chance(20)) {
    config["fail_fast"] = dice.any<Json>({true, "raise"});
  }
  if (dice.chance(40)) {
    config["num_to_keep"] = dice.between(1, 3);
  }
  if (dice.chance(30)) {
    config["max_concurrent_trials"] = dice.between(1, 4);
  }
  if (dice.chance(30)) {
    config["restore"] = {{"resume_errored", dice.chance(50)}};
  }
  return config;
}

}  // namespace

Json random_experiment(Dice& dice, const WorldFacts& world, std::uint64_t index) {
  const PoolFacts& pool = world.pools[dice.below(world.pools.size())];
  Json experiment{{"name", fmt::format("experiment-{}", index)},
                  {"pool", pool.name},
                  {"trials", dice.between(1, 9)},
                  {"resources_per_trial", resources(dice, pool)},
                  {"steps", dice.between(1, 12)},
                  {"step", dice.text({"1us", "10s", "47.5s", "5min"})}};
  if (dice.chance(80)) {
    experiment["checkpoint"] = {{"every_steps", dice.between(1, 3)},
                                {"bytes", dice.text({"0B", "1B", "3GB"})},
                                {"blocking", dice.text({"0s", "1us", "10s"})}};
  }
  if (dice.chance(60)) {
    experiment["phases"] = {{"launching", random_law(dice)}, {"restoring", random_law(dice)}};
  }
  if (dice.chance(20)) {
    experiment["script"] = {{"saves", dice.chance(50)}, {"resumes", dice.chance(50)}};
  }
  if (dice.chance(50)) {
    experiment["submit"] = dice.text({"1us", "7min", "1h"});
  }
  if (dice.chance(30)) {
    experiment["priority"] = dice.below(3);
  }
  experiment["run"] = {{"storage", "store-0"}, {"name", dice.text({"one", "other", ""})}};
  experiment["policy"] = {{"name", "ray_tune"}, {"config", settings(dice)}};
  if (dice.chance(30)) {
    experiment["env"] = {{"TUNE_RESTORE_RETRY_NUM", dice.text({"0", "1"})}};
  }
  return experiment;
}

Json random_trial_fault(Dice& dice, const WorldFacts& world, const Json& experiment,
                        std::uint64_t index) {
  std::string target = fmt::format("experiment:{}", experiment.at("name").get<std::string>());
  if (dice.chance(60)) {
    target += fmt::format("/trial:{}", dice.below(experiment.at("trials").get<std::uint64_t>()));
  }
  Json fault{{"id", fmt::format("trial-fault-{}", index)},
             {"kind",
              dice.text({"node_crash", "preemption", "worker_crash", "accelerator_fault", "hang"})},
             {"target", std::move(target)}};
  if (fault["kind"] == "accelerator_fault") {
    const auto pool_name = experiment.at("pool").get<std::string>();
    const auto pool = std::find_if(world.pools.begin(), world.pools.end(),
                                   [&](const PoolFacts& each) { return each.name == pool_name; });
    fault["code"] = pool->npu ? "hbm_64_rows_isolated" : "xid:79";
  } else if (fault["kind"] == "preemption" && dice.chance(60)) {
    fault["notice"] = dice.text({"1us", "30s"});
  }
  if (fault["kind"] == "hang" || dice.chance(30)) {
    if (fault["kind"] != "worker_crash") {
      fault["lasts"] = dice.text({"1us", "13min"});
    }
  }
  if (dice.chance(40)) {
    fault["at_step"] = dice.between(1, experiment.at("steps").get<std::uint64_t>());
    // Neither endless retries nor free ones: that would never end.
    const bool ends = experiment.at("policy").at("config").value("max_failures", 0) >= 0 &&
                      fault["kind"] != "preemption";
    fault["every_attempt"] = dice.chance(30) && ends;
  } else if (world.bounded && dice.chance(30)) {
    fault["source"] = {{"exponential", {{"mtbf", dice.text({"25min", "3h"})}, {"per", "job"}}}};
  } else {
    fault["at"] = dice.chance(40) ? dice.text({"0s", "5min", "1h"})
                                  : fmt::format("{}ms", dice.below(8'000'000));
  }
  return fault;
}

}  // namespace aftershock::sim
