#include "tests/property/random_scenario.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;

/// Raw numbers of a generator that the standard fixes to the bit; its distributions it does not.
class Dice {
 public:
  explicit Dice(std::uint64_t key) : engine_(key) {}

  /// One of 0 .. count-1.
  std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  /// One of low .. high.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  template <class T>
  T any(std::initializer_list<T> items) {
    return items.begin()[below(items.size())];
  }
  std::string text(std::initializer_list<const char*> items) { return any(items); }

 private:
  std::mt19937_64 engine_;
};

struct PoolFacts {
  std::string name;
  std::uint64_t nodes = 0;
  std::uint64_t spares = 0;
  std::uint64_t racks = 0;
  std::uint64_t per_node = 0;
  bool repair = false;
};

struct JobFacts {
  std::string name;
  std::size_t pool = 0;
  std::uint64_t workers = 0;
  std::uint64_t steps = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t key) : dice_(key) {
    root_["schema"] = 1;
    root_["name"] = fmt::format("random-{}", key);
    root_["seed"] = dice_.below(1'000'000);
  }

  Json make() {
    bounded_ = dice_.chance(85);
    if (bounded_) {
      root_["until"] = dice_.text({"20min", "2h", "7h", "1d", "2.5d"});
    }
    cluster();
    const std::uint64_t jobs = dice_.any<std::uint64_t>({1, 1, 1, 2, 2, 3});
    for (std::uint64_t i = 0; i < jobs; ++i) {
      job(i);
    }
    const std::uint64_t faults = dice_.below(8);
    for (std::uint64_t i = 0; i < faults; ++i) {
      fault(i);
    }
    return std::move(root_);
  }

 private:
  Json length() { return dice_.text({"0s", "1us", "3s", "10s", "47.5s", "2min", "11min"}); }

  Json law() {
    switch (dice_.below(10)) {
      case 0:
        return {{"exponential", {{"mean", "40s"}}}};
      case 1:
        return {{"uniform", {"5s", "3min"}}};
      case 2:
        return {{"lognormal", {{"median", "30s"}, {"sigma", 0.8}}}, {"max", "1h"}};
      case 3:
        return {{"weibull", {{"mean", "1min"}, {"shape", 0.7}}}};
      case 4:
        return {{"gamma", {{"mean", "1min"}, {"shape", 2}}}, {"min", "1s"}};
      case 5:
        return {{"empirical", {"1s", "20s", "5min"}}};
      default:
        return length();
    }
  }

  Json long_law() {
    switch (dice_.below(4)) {
      case 0:
        return {{"lognormal", {{"median", "2h"}, {"sigma", 1.2}}}};
      case 1:
        return {{"exponential", {{"mean", "50min"}}}};
      default:
        return dice_.text({"0s", "90s", "13min", "1h", "9h"});
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
      pool["accelerators"] = {{"kind", dice_.text({"gpu", "npu"})}, {"per_node", facts.per_node}};
      if (dice_.chance(50)) {
        pool["nic"] = rate();
      }
      if (dice_.chance(30)) {
        pool["market"] = "spot";
      }
      const std::string replacement = dice_.text({"none", "now", "provision"});
      pool["replacement"] = replacement;
      if (replacement == "provision") {
        pool["provision"] = law();
      }
      if (replacement != "none" && dice_.chance(30)) {
        pool["max_nodes"] = facts.nodes + facts.spares + dice_.below(3);
      }
      facts.repair = dice_.chance(60);
      if (facts.repair) {
        pool["repair"] = long_law();
      }
      if (dice_.chance(20)) {
        pool["price_per_node_hour"] = 32.5;
      }
      pools.push_back(std::move(pool));
      pools_.push_back(std::move(facts));
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
        lengths[phase] = law();
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

  void job(std::uint64_t index) {
    JobFacts facts;
    facts.name = fmt::format("job-{}", index);
    facts.pool = dice_.below(pools_.size());
    const PoolFacts& pool = pools_[facts.pool];
    const std::uint64_t nodes =
        dice_.chance(10) ? pool.nodes + pool.spares : dice_.between(1, pool.nodes);
    facts.workers = dice_.between((nodes - 1) * pool.per_node + 1, nodes * pool.per_node);
    Json job{{"name", facts.name}, {"pool", pool.name}, {"workers", facts.workers}};
    facts.steps = dice_.between(20, 3000);
    if (!bounded_ || dice_.chance(80)) {
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
    if (dice_.chance(60)) {
      job["script"] = {{"saves", !dice_.chance(15)},
                       {"resumes", !dice_.chance(20)},
                       {"reentrant", dice_.chance(50)},
                       {"setup", length()}};
    }
    job["run"] = {{"storage", fmt::format("store-{}", dice_.below(storages_))},
                  {"storage_path", "s3://bucket"},
                  {"name", facts.name}};
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
    if (!env.empty()) {
      job["env"] = std::move(env);
    }
    // A run without an end to its failures and without a horizon lasts for a hundred years.
    const std::int64_t budget =
        bounded_ ? dice_.any<std::int64_t>({-1, -1, 0, 1, 3, 20}) : dice_.any<std::int64_t>({0, 2});
    Json config{{"max_failures", budget}};
    if (!bounded_ || dice_.chance(15)) {
      config["controller_failure_limit"] = dice_.any<std::int64_t>({0, 1, 6});
    }
    job["policy"] = {{"name", "ray_train"}, {"profile", "2026-05"}, {"config", std::move(config)}};
    root_["jobs"].push_back(std::move(job));
    jobs_.push_back(std::move(facts));
  }

  /// What `kind` does beside striking.
  void effect(Json& fault, const std::string& kind, const PoolFacts& pool) {
    if (kind == "node_crash" || kind == "preemption") {
      if (dice_.chance(50)) {
        fault["lasts"] = pool.repair && dice_.chance(40) ? Json("repair") : long_law();
      }
      if (kind == "preemption" && dice_.chance(60)) {
        fault["notice"] = dice_.text({"1us", "30s", "2min", "1h"});
      }
    } else if (kind == "partition") {
      fault["lasts"] = long_law();
    } else if (kind == "worker_crash") {
      const std::string how = dice_.text({"exception", "oom", "exit"});
      fault["how"] = how;
      if (how == "exit") {
        fault["exit_code"] = dice_.between(1, 255);
      }
    } else if (kind == "accelerator_fault") {
      fault["code"] = dice_.text({"xid:79", "xid:94", "ascend:0x80E01801"});
      if (dice_.chance(60)) {
        fault["lasts"] = pool.repair && dice_.chance(40) ? Json("repair") : long_law();
      }
    } else {
      if (dice_.chance(50)) {
        fault["lasts"] = law();
      }
      if (dice_.chance(50)) {
        fault["answers"] = dice_.chance(50);
      }
    }
  }

  std::string any_kind() {
    return dice_.text({"node_crash", "preemption", "worker_crash", "accelerator_fault", "hang"});
  }

  enum class Aim { kNode, kAccelerator, kRack, kPool, kJob, kRank };

  std::string target_text(Aim aim, const PoolFacts& pool, const JobFacts& job) {
    const bool spare = pool.spares > 0 && dice_.chance(20);
    const std::string node = spare ? fmt::format("{}-spare-{}", pool.name, dice_.below(pool.spares))
                                   : fmt::format("{}-{}", pool.name, dice_.below(pool.nodes));
    switch (aim) {
      case Aim::kNode:
        return "node:" + node;
      case Aim::kAccelerator:
        return fmt::format("accelerator:{}/{}", node, dice_.below(pool.per_node));
      case Aim::kRack:
        return fmt::format("rack:{}/{}", pool.name, dice_.below(pool.racks));
      case Aim::kPool:
        return "pool:" + pool.name;
      case Aim::kJob:
        return "job:" + job.name;
      case Aim::kRank:
        return fmt::format("job:{}/rank:{}", job.name, dice_.below(job.workers));
    }
    return {};
  }

  void fault(std::uint64_t index) {
    const bool partition = dice_.chance(20);
    const bool causes = !partition && bounded_ && dice_.chance(15);
    const bool random = bounded_ && (causes || dice_.chance(30));
    const std::string kind = partition ? "partition" : any_kind();
    Aim aim = Aim::kNode;
    if (partition) {
      aim = random ? dice_.any({Aim::kNode, Aim::kPool})
                   : dice_.any({Aim::kNode, Aim::kRack, Aim::kPool});
    } else if (causes) {
      aim = dice_.any({Aim::kNode, Aim::kPool, Aim::kJob});
    } else {
      const bool device = kind != "node_crash" && kind != "preemption";
      aim = device && dice_.chance(20) ? Aim::kAccelerator
            : random                   ? dice_.any({Aim::kNode, Aim::kPool, Aim::kJob, Aim::kRank})
                                       : dice_.any({Aim::kNode, Aim::kJob, Aim::kRank});
    }
    const JobFacts& job = jobs_[dice_.below(jobs_.size())];
    const bool of_job = aim == Aim::kJob || aim == Aim::kRank;
    // Faults that aim at hardware strike where the job is more often than not.
    const PoolFacts& pool =
        of_job || dice_.chance(70) ? pools_[job.pool] : pools_[dice_.below(pools_.size())];

    Json fault{{"id", fmt::format("fault-{}", index)}};
    if (!causes) {
      fault["kind"] = kind;
    }
    fault["target"] = target_text(aim, pool, job);
    if (causes) {
      fault["causes"] = Json::array();
      for (std::uint64_t i = dice_.between(1, 3); i > 0; --i) {
        const std::string cause_kind = any_kind();
        Json cause{{"kind", cause_kind}, {"weight", dice_.between(1, 9)}};
        effect(cause, cause_kind, pool);
        fault["causes"].push_back(std::move(cause));
      }
    } else {
      effect(fault, kind, pool);
    }
    trigger(fault, aim, partition, random, of_job || jobs_.size() == 1, job);
    if (dice_.chance(10)) {
      fault["require"] = dice_.text({"fired", "detected", "caused_restart"});
    }
    root_["faults"].push_back(std::move(fault));
  }

  void trigger(Json& fault, Aim aim, bool partition, bool random, bool knows_job,
               const JobFacts& job) {
    if (random) {
      std::string per;
      switch (aim) {
        case Aim::kNode:
          per = partition ? "node" : dice_.text({"node", "accelerator"});
          break;
        case Aim::kAccelerator:
          per = "accelerator";
          break;
        case Aim::kPool:
          per = partition ? "pool" : dice_.text({"node", "accelerator", "pool"});
          break;
        default:
          per = "job";
          break;
      }
      if (dice_.chance(25)) {
        fault["source"] = {{"rate", fmt::format("{}/10 {}-days", dice_.between(1, 400), per)}};
      } else {
        fault["source"] = {
            {"exponential", {{"mtbf", dice_.text({"25min", "3h", "1d"})}, {"per", per}}}};
      }
      return;
    }
    if (knows_job && dice_.chance(25)) {
      fault["at_step"] = dice_.between(1, job.steps);
      if (dice_.chance(25)) {
        fault["every_attempt"] = true;
      }
      return;
    }
    if (dice_.chance(45)) {
      Json when{{"enter", dice_.text({"training", "checkpointing", "undetected", "deciding",
                                      "tearing_down", "waiting_for_capacity", "provisioning",
                                      "launching", "rendezvous", "restoring", "warming_up",
                                      "finalizing", "uploading", "committing", "catching_up"})}};
      if (dice_.chance(60)) {
        when["nth"] = dice_.between(1, 4);
      }
      if (dice_.chance(70)) {
        when["offset"] = dice_.text({"0%", "50%", "99.9%", "100%", "1us", "2s", "1min"});
      }
      when["job"] = job.name;
      fault["when"] = std::move(when);
      return;
    }
    // Some times are shared, so that faults meet in one microsecond.
    fault["at"] = dice_.chance(40) ? dice_.text({"0s", "5min", "1h"})
                                   : fmt::format("{}ms", dice_.below(20'000'000));
  }

  Dice dice_;
  Json root_;
  bool bounded_ = true;
  std::vector<PoolFacts> pools_;
  std::vector<JobFacts> jobs_;
  std::uint64_t storages_ = 0;
};

}  // namespace

std::string random_scenario(std::uint64_t key) { return Generator(key).make().dump(1); }

}  // namespace aftershock::sim
