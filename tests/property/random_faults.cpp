#include "tests/property/random_faults.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;

/// The effect of `kind` beside striking.
void effect(Dice& dice, Json& fault, const std::string& kind, const PoolFacts& pool) {
  if (kind == "node_crash" || kind == "preemption") {
    if (dice.chance(50)) {
      fault["lasts"] = pool.repair && dice.chance(40) ? Json("repair") : random_long_law(dice);
    }
    if (kind == "preemption" && dice.chance(60)) {
      fault["notice"] = dice.text({"1us", "30s", "2min", "1h"});
      if (dice.chance(20)) {
        fault["deadline"] = "unknown";
      }
    }
  } else if (kind == "partition") {
    fault["lasts"] = random_long_law(dice);
  } else if (kind == "worker_crash") {
    const std::string how = dice.text({"exception", "oom", "exit", "error_without_exit"});
    fault["how"] = how;
    if (how == "exit") {
      fault["exit_code"] = dice.between(1, 255);
    }
  } else if (kind == "accelerator_fault") {
    fault["code"] = pool.npu ? dice.text({"80E18402", "hbm_multi_bit_ecc", "ascend:0x80E01801"})
                             : dice.text({"xid:79", "xid:94", "contained_ecc"});
    if (dice.chance(60)) {
      fault["lasts"] = pool.repair && dice.chance(40) ? Json("repair") : random_long_law(dice);
    }
  } else {
    if (dice.chance(50)) {
      fault["lasts"] = random_law(dice);
    }
    if (dice.chance(50)) {
      fault["answers"] = dice.chance(50);
    }
  }
}

/// Errors that are corrected come first. It takes no dice, so that cases stay what they were.
void announce(Json& fault, std::uint64_t index) {
  fault["kind"] = "corrected_ecc_storm";
  fault["every"] = "20s";
  fault["times"] = index + 1;
  fault["then"] = fault["code"];
  fault.erase("code");
}

/// Some faults become what else machines may suffer. It takes no dice either.
void trouble(Json& fault, std::uint64_t index, const PoolFacts& pool) {
  const std::string kind = fault["kind"];
  const std::string target = fault["target"];
  if (kind == "hang" && index % 3 == 1) {
    fault["kind"] = "straggler";
    fault["slowdown"] = 1.7;
    fault.erase("answers");
  } else if (kind == "worker_crash" && index % 4 == 3) {
    fault["kind"] = "false_alarm";
    fault["alarm"] = "hang";
    fault.erase("how");
    fault.erase("exit_code");
  } else if (kind == "node_crash" && target.starts_with("node:") && index % 3 == 2) {
    fault["kind"] = "lemon_node";
    fault["every"] = "20min";
    if (fault.contains("lasts") && fault["lasts"] == "repair") {
      fault.erase("lasts");
    }
  } else if ((kind == "node_crash" || kind == "preemption") && target.starts_with("node:") &&
             index % 3 == 1 && !fault.contains("source")) {
    fault["target"] = fmt::format("rack:{}/0", pool.name);
  } else if (kind == "partition" && target.starts_with("pool:") && index % 2 == 1) {
    fault["kind"] = "capacity_denial";
    fault["spares"] = true;
  }
}

std::string any_kind(Dice& dice) {
  return dice.text({"node_crash", "preemption", "worker_crash", "accelerator_fault", "hang"});
}

/// Mishaps of a job's controller, its storage and its reports.
std::string any_mishap(Dice& dice) {
  return dice.text({"hook_error", "upload_error", "divergent_report", "deleted_checkpoint",
                    "unwritable_snapshot", "host_oom", "full_disk", "user_interrupt"});
}

void mishap(Dice& dice, Json& fault) {
  if (fault["kind"] != "hook_error") {
    return;
  }
  if (dice.chance(40)) {
    fault["error"] = "WorkerGroupStartupFailedError";
  }
  if (dice.chance(40)) {
    fault["hook"] = "shutdown";
  }
}

enum class Aim { kNode, kAccelerator, kRack, kPool, kJob, kRank };

std::string target_text(Dice& dice, Aim aim, const PoolFacts& pool, const JobFacts& job) {
  const bool spare = pool.spares > 0 && dice.chance(20);
  const std::string node = spare ? fmt::format("{}-spare-{}", pool.name, dice.below(pool.spares))
                                 : fmt::format("{}-{}", pool.name, dice.below(pool.nodes));
  switch (aim) {
    case Aim::kNode:
      return "node:" + node;
    case Aim::kAccelerator:
      return fmt::format("accelerator:{}/{}", node, dice.below(pool.per_node));
    case Aim::kRack:
      return fmt::format("rack:{}/{}", pool.name, dice.below(pool.racks));
    case Aim::kPool:
      return "pool:" + pool.name;
    case Aim::kJob:
      return "job:" + job.name;
    case Aim::kRank:
      return fmt::format("job:{}/rank:{}", job.name, dice.below(job.workers));
  }
  return {};
}

void trigger(Dice& dice, Json& fault, Aim aim, bool partition, bool random, bool knows_job,
             const JobFacts& job) {
  if (random) {
    std::string per;
    switch (aim) {
      case Aim::kNode:
        per = partition ? "node" : dice.text({"node", "accelerator"});
        break;
      case Aim::kAccelerator:
        per = "accelerator";
        break;
      case Aim::kPool:
        per = partition ? "pool" : dice.text({"node", "accelerator", "pool"});
        break;
      default:
        per = "job";
        break;
    }
    if (dice.chance(25)) {
      fault["source"] = {{"rate", fmt::format("{}/10 {}-days", dice.between(1, 400), per)}};
    } else {
      fault["source"] = {
          {"exponential", {{"mtbf", dice.text({"25min", "3h", "1d"})}, {"per", per}}}};
    }
    return;
  }
  if (knows_job && dice.chance(25)) {
    fault["at_step"] = dice.between(1, job.steps);
    if (dice.chance(25)) {
      fault["every_attempt"] = true;
    }
    return;
  }
  if (dice.chance(45)) {
    Json when{{"enter", dice.text({"training", "checkpointing", "undetected", "deciding",
                                   "tearing_down", "waiting_for_capacity", "provisioning",
                                   "launching", "rendezvous", "restoring", "warming_up",
                                   "finalizing", "uploading", "committing", "catching_up"})}};
    if (dice.chance(60)) {
      when["nth"] = dice.between(1, 4);
    }
    if (dice.chance(70)) {
      when["offset"] = dice.text({"0%", "50%", "99.9%", "100%", "1us", "2s", "1min"});
    }
    when["job"] = job.name;
    fault["when"] = std::move(when);
    return;
  }
  // Some times are shared, so that faults meet in one microsecond.
  fault["at"] = dice.chance(40) ? dice.text({"0s", "5min", "1h"})
                                : fmt::format("{}ms", dice.below(20'000'000));
}

}  // namespace

Json random_length(Dice& dice) {
  return dice.text({"0s", "1us", "3s", "10s", "47.5s", "2min", "11min"});
}

Json random_law(Dice& dice) {
  switch (dice.below(10)) {
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
      return random_length(dice);
  }
}

Json random_long_law(Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return {{"lognormal", {{"median", "2h"}, {"sigma", 1.2}}}};
    case 1:
      return {{"exponential", {{"mean", "50min"}}}};
    default:
      return dice.text({"0s", "90s", "13min", "1h", "9h"});
  }
}

Json random_fault(Dice& dice, const WorldFacts& world, std::uint64_t index) {
  const bool partition = dice.chance(20);
  const bool causes = !partition && world.bounded && dice.chance(15);
  const bool random = world.bounded && (causes || dice.chance(30));
  const bool odd = !partition && !random && dice.chance(15);
  const std::string kind = partition ? "partition" : odd ? any_mishap(dice) : any_kind(dice);
  Aim aim = Aim::kNode;
  if (partition) {
    aim = random ? dice.any({Aim::kNode, Aim::kPool})
                 : dice.any({Aim::kNode, Aim::kRack, Aim::kPool});
  } else if (odd) {
    aim = Aim::kJob;
  } else if (causes) {
    aim = dice.any({Aim::kNode, Aim::kPool, Aim::kJob});
  } else {
    const bool device = kind != "node_crash" && kind != "preemption";
    aim = device && dice.chance(20) ? Aim::kAccelerator
          : random                  ? dice.any({Aim::kNode, Aim::kPool, Aim::kJob, Aim::kRank})
                                    : dice.any({Aim::kNode, Aim::kJob, Aim::kRank});
  }
  const JobFacts& job = world.jobs[dice.below(world.jobs.size())];
  const bool of_job = aim == Aim::kJob || aim == Aim::kRank;
  // Faults that aim at hardware strike where the job is more often than not.
  const PoolFacts& pool = of_job || dice.chance(70) ? world.pools[job.pool]
                                                    : world.pools[dice.below(world.pools.size())];

  Json fault{{"id", fmt::format("fault-{}", index)}};
  if (!causes) {
    fault["kind"] = kind;
  }
  fault["target"] = target_text(dice, aim, pool, job);
  if (causes) {
    fault["causes"] = Json::array();
    for (std::uint64_t i = dice.between(1, 3); i > 0; --i) {
      const std::string cause_kind = any_kind(dice);
      Json cause{{"kind", cause_kind}, {"weight", dice.between(1, 9)}};
      effect(dice, cause, cause_kind, pool);
      fault["causes"].push_back(std::move(cause));
    }
  } else if (odd) {
    mishap(dice, fault);
  } else {
    effect(dice, fault, kind, pool);
    if (kind == "accelerator_fault" && index % 2 == 1) {
      announce(fault, index);
    }
  }
  trigger(dice, fault, aim, partition, random, of_job || world.jobs.size() == 1, job);
  if (!causes) {
    trouble(fault, index, pool);
  }
  if (dice.chance(10)) {
    fault["require"] = dice.text({"fired", "detected", "caused_restart"});
  }
  return fault;
}

}  // namespace aftershock::sim
