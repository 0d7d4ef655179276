#include "tests/property/random_scenario.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "tests/property/random_experiments.h"
#include "tests/property/random_faults.h"

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;

class Generator {
 public:
  explicit Generator(std::uint64_t key) : dice_(key) {
    root_["schema"] = 1;
    root_["name"] = fmt::format("random-{}", key);
    root_["seed"] = dice_.below(1'000'000);
  }

  Json make() {
    world_.bounded = dice_.chance(85);
    if (world_.bounded) {
      root_["until"] = dice_.text({"20min", "2h", "7h", "1d", "2.5d"});
    }
    cluster();
    const std::uint64_t jobs = dice_.any<std::uint64_t>({1, 1, 1, 2, 2, 3});
    for (std::uint64_t i = 0; i < jobs; ++i) {
      job(i);
    }
    const std::uint64_t faults = dice_.below(8);
    for (std::uint64_t i = 0; i < faults; ++i) {
      root_["faults"].push_back(random_fault(dice_, world_, i));
    }
    if (dice_.chance(40)) {
      experiments();
    }
    return std::move(root_);
  }

 private:
  void experiments() {
    const std::uint64_t count = dice_.between(1, 2);
    for (std::uint64_t i = 0; i < count; ++i) {
      root_["experiments"].push_back(random_experiment(dice_, world_, i));
    }
    for (std::uint64_t i = dice_.below(4); i > 0; --i) {
      const Json& struck = root_["experiments"][dice_.below(count)];
      root_["faults"].push_back(random_trial_fault(dice_, world_, struck, i));
    }
  }

  std::string rate() { return dice_.text({"100MB/s", "1GB/s", "7GB/s", "40Gbit/s", "200GB/s"}); }

  void cluster() {
    Json pools = Json::array();
    const std::uint64_t count = dice_.chance(70) ? 1 : 2;
    for (std::uint64_t i = 0; i < count; ++i) {
      PoolFacts facts;
      facts.name = i == 0 ? "a" : "b";
      facts.nodes = dice_.between(1, 6);
      facts.spares = dice_.below(3);
      facts.racks = dice_.between(1, std::min<std::uint64_t>(3, facts.nodes));
      facts.per_node = dice_.between(1, 4);
      Json pool{{"name", facts.name}, {"nodes", facts.nodes}};
      if (facts.spares > 0) {
        pool["spares"] = facts.spares;
      }
      pool["racks"] = facts.racks;
      const std::string kind = dice_.text({"gpu", "npu"});
      facts.npu = kind == "npu";
      pool["accelerators"] = {{"kind", kind}, {"per_node", facts.per_node}};
      if (dice_.chance(50)) {
        pool["nic"] = rate();
      }
      if (dice_.chance(30)) {
        pool["market"] = "spot";
      }
      const std::string replacement = dice_.text({"none", "now", "provision"});
      pool["replacement"] = replacement;
      if (replacement == "provision") {
        pool["provision"] = random_law(dice_);
      }
      if (replacement != "none" && dice_.chance(30)) {
        pool["max_nodes"] = facts.nodes + facts.spares + dice_.below(3);
      }
      facts.repair = dice_.chance(60);
      if (facts.repair) {
        pool["repair"] = random_long_law(dice_);
      }
      if (dice_.chance(20)) {
        pool["price_per_node_hour"] = 32.5;
      }
      pools.push_back(std::move(pool));
      world_.pools.push_back(std::move(facts));
    }
    Json storages = Json::array();
    storages_ = dice_.between(1, 2);
    for (std::uint64_t i = 0; i < storages_; ++i) {
      storages.push_back({{"name", fmt::format("store-{}", i)},
                          {"kind", dice_.text({"object", "nfs", "local"})},
                          {"read", rate()},
                          {"write", rate()}});
    }
    root_["cluster"] = {{"pools", std::move(pools)}, {"storage", std::move(storages)}};
    if (dice_.chance(40)) {
      root_["cluster"]["heartbeat"] = {{"every", dice_.text({"1s", "5s", "30s"})},
                                       {"misses", dice_.between(1, 4)}};
    }
    if (dice_.chance(40)) {
      root_["cluster"]["rack_uplink"] = rate();
    }
  }

  Json phases() {
    Json lengths = Json::object();
    for (const char* phase :
         {"launching", "rendezvous", "restoring", "warming_up", "tearing_down", "finalizing"}) {
      if (dice_.chance(55)) {
        lengths[phase] = random_law(dice_);
      }
    }
    return lengths;
  }

  Json checkpoint() {
    Json saved = Json::object();
    if (dice_.chance(40)) {
      saved["every_steps"] = dice_.any<std::uint64_t>({5, 21, 60, 200});
    } else {
      saved["every"] = dice_.text({"20s", "3min", "15min", "1h"});
    }
    if (dice_.chance(80)) {
      saved["bytes"] = dice_.text({"0B", "1B", "3GB", "40GB", "500GB"});
    }
    if (dice_.chance(60)) {
      saved["blocking"] = dice_.text({"0s", "1us", "800ms", "10s", "3min"});
    }
    if (dice_.chance(60)) {
      saved["upload"] = dice_.text({"blocking", "async"});
    }
    if (dice_.chance(40)) {
      saved["keep"] = dice_.between(1, 3);
    }
    if (dice_.chance(20)) {
      saved["at_end"] = false;
    }
    return saved;
  }

  Json environment() {
    Json env = Json::object();
    if (dice_.chance(30)) {
      env["RAY_TRAIN_HEALTH_CHECK_INTERVAL_S"] = dice_.text({"0.000001", "0.5", "2", "31"});
    }
    if (dice_.chance(30)) {
      env["RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S"] = dice_.text({"0", "10", "90.5"});
    }
    if (dice_.chance(40)) {
      env["RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"] = dice_.text({"7.5", "45", "600"});
    }
    return env;
  }

  void job(std::uint64_t index) {
    JobFacts facts;
    facts.name = fmt::format("job-{}", index);
    facts.pool = dice_.below(world_.pools.size());
    const PoolFacts& pool = world_.pools[facts.pool];
    const std::uint64_t nodes =
        dice_.chance(10) ? pool.nodes + pool.spares : dice_.between(1, pool.nodes);
    facts.workers = dice_.between((nodes - 1) * pool.per_node + 1, nodes * pool.per_node);
    Json job{{"name", facts.name}, {"pool", pool.name}, {"workers", facts.workers}};
    facts.steps = dice_.between(20, 3000);
    if (!world_.bounded || dice_.chance(80)) {
      job["steps"] = facts.steps;
    }
    job["step"] = dice_.text({"100ms", "333333us", "1s", "7s", "12s", "1min"});
    if (dice_.chance(40)) {
      job["priority"] = static_cast<std::int64_t>(dice_.below(4)) - 1;
    }
    if (dice_.chance(40)) {
      job["submit"] = dice_.text({"1us", "30s", "10min", "3h"});
    }
    if (dice_.chance(85)) {
      job["checkpoint"] = checkpoint();
    }
    if (dice_.chance(85)) {
      job["phases"] = phases();
    }
    if (dice_.chance(30)) {
      job["restart_phases"] = phases();
    }
    if (dice_.chance(70)) {
      job["collective_timeout"] = dice_.text({"none", "10s", "3min", "40min"});
    }
    if (dice_.chance(25)) {
      job["hang_detection"] = {{"after", dice_.text({"30s", "10min"})}};
    }
    if (dice_.chance(25)) {
      job["detection"] = {{"fixed", dice_.text({"0s", "1us", "1min", "20min"})}};
    }
    if (dice_.chance(25)) {
      job["collectives"] = {{"transport", dice_.text({"gloo", "nccl", "nccl_unhandled", "hccl"})}};
    }
    if (dice_.chance(60)) {
      job["script"] = {{"saves", !dice_.chance(15)},
                       {"resumes", !dice_.chance(20)},
                       {"reentrant", dice_.chance(50)},
                       {"setup", random_length(dice_)}};
    }
    job["run"] = {{"storage", fmt::format("store-{}", dice_.below(storages_))},
                  {"storage_path", "s3://bucket"},
                  {"name", facts.name}};
    if (Json env = environment(); !env.empty()) {
      job["env"] = std::move(env);
    }
    // A run without an end to its failures and without a horizon lasts for a hundred years.
    const std::int64_t budget = world_.bounded ? dice_.any<std::int64_t>({-1, -1, 0, 1, 3, 20})
                                               : dice_.any<std::int64_t>({0, 2});
    Json config{{"max_failures", budget}};
    if (!world_.bounded || dice_.chance(15)) {
      config["controller_failure_limit"] = dice_.any<std::int64_t>({0, 1, 6});
    }
    job["policy"] = {{"name", "ray_train"}, {"profile", "2026-05"}, {"config", std::move(config)}};
    root_["jobs"].push_back(std::move(job));
    world_.jobs.push_back(std::move(facts));
  }

  Dice dice_;
  Json root_;
  WorldFacts world_;
  std::uint64_t storages_ = 0;
};

}  // namespace

std::string random_scenario(std::uint64_t key) {
  return policies::text_from_json(Generator(key).make(), {.indent = 1});
}

}  // namespace aftershock::sim
