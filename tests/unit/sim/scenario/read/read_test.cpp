#include "sim/scenario/read/read.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/policy_request.h"
#include "tests/unit/sim/scenario/smallest.h"

namespace aftershock::sim::scenario {
namespace {

// The example of the scenario format, with every optional key given somewhere.
const std::string kEverything = R"({
 "$schema": "aftershock.schema.json", "schema": 1, "name": "quickstart", "seed": 18446744073709551615,
 "question": "Is max_failures = 3 enough?", "notes": ["one", "two"],
 "start": "2026-11-20T18:00:00+08:00", "until": "3d", "tags": ["ci"],
 "cluster": {
  "heads": [{"name": "head-0"}],
  "pools": [{"name": "gpu", "nodes": 16, "spares": 1, "max_nodes": 20, "racks": 4,
             "accelerators": {"kind": "npu", "per_node": 8}, "nic": "400Gbit/s", "market": "spot",
             "provision": "3min", "replacement": "provision",
             "repair": {"lognormal": {"median": "20h", "sigma": 1.2}, "max": "10d"},
             "price_per_node_hour": 32.5},
            {"name": "small", "nodes": 1, "accelerators": {"per_node": 4}}],
  "storage": [{"name": "s3", "kind": "object", "read": "200GB/s", "write": "100GB/s"},
              {"name": "disk", "kind": "local", "read": "2GB/s", "write": "1GB/s"}],
  "heartbeat": {"every": "2s", "misses": 5}, "rack_uplink": "400GB/s", "workers_die_with_head": false
 },
 "jobs": [{
  "name": "llm", "pool": "gpu", "workers": 128, "steps": 20000, "step": "12s", "priority": -3,
  "submit": "1min",
  "checkpoint": {"every": "30min", "bytes": "2TB", "blocking": "10s", "upload": "async", "keep": 2,
                 "at_end": false},
  "phases": {"launching": "20s", "rendezvous": {"uniform": ["30s", "60s"]}, "warming_up": "1min"},
  "restart_phases": {"launching": "5s"},
  "collective_timeout": "10min", "hang_detection": {"after": "30min"},
  "script": {"saves": true, "resumes": false, "reentrant": false, "setup": "5min"},
  "run": {"storage": "s3", "storage_path": "s3://bucket", "name": "quickstart"},
  "env": {"RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S": "60"},
  "policy": {"name": "ray_train", "profile": "2026-05", "config": {"max_failures": 3}}
 }, {"name": "eval", "pool": "small", "workers": 1, "step": "1s", "collective_timeout": "none",
     "detection": {"fixed": "60s"}, "policy": {"name": "ray_train"}}],
 "faults": [
  {"id": "spot-1", "kind": "preemption", "target": "node:gpu-3", "at": "5h", "notice": "2min",
   "require": "caused_restart"},
  {"id": "ecc", "kind": "accelerator_fault", "code": "hbm_multi_bit_ecc", "target": "job:llm/rank:17",
   "at_step": 9000, "every_attempt": true, "lasts": "repair"},
  {"id": "hang", "kind": "hang", "target": "job:llm/rank:5", "answers": false,
   "when": {"enter": "restoring", "nth": 2, "offset": "50%"}},
  {"kind": "node_crash", "target": "pool:gpu", "label": "power",
   "source": {"exponential": {"mtbf": "264d", "per": "node"}}},
  {"kind": "partition", "target": "rack:gpu/2", "lasts": {"exponential": {"mean": "10min"}},
   "at": "6h"},
  {"kind": "worker_crash", "how": "oom", "target": "accelerator:gpu-spare-0/3", "at": "7h"},
  {"kind": "worker_crash", "how": "exit", "exit_code": 3, "target": "node:gpu-18",
   "when": {"enter": "training", "job": "eval", "offset": "90s"}},
  {"target": "pool:gpu", "source": {"rate": "3.79/1000 node-days"}, "causes": [
    {"kind": "accelerator_fault", "code": "0x80e18402", "label": "faulty NPU", "weight": 148},
    {"kind": "hang"}]}
 ],
 "expect": [{"at": "/jobs/0/outcome", "is": "completed"},
            {"at": "/jobs/0/budgets/max_failures/used", "min": 1, "max": 3},
            {"at": "/jobs/0/ettr", "near": 0.9, "within": 0.01}]
})";

Scenario read(const std::string& text) {
  auto result = read_scenario_text(text, "test.json");
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&result)) {
    for (const ScenarioError& error : *errors) ADD_FAILURE() << format(error);
    return {};
  }
  return std::get<ReadScenario>(std::move(result)).scenario;
}

TEST(Read, TopAndCluster) {
  const Scenario scenario = read(kEverything);
  EXPECT_EQ(scenario.name, "quickstart");
  EXPECT_EQ(scenario.question, "Is max_failures = 3 enough?");
  EXPECT_EQ(scenario.seed, UINT64_MAX);
  EXPECT_EQ(scenario.start, "2026-11-20T18:00:00+08:00");
  EXPECT_EQ(scenario.until_us, 259'200'000'000);
  EXPECT_EQ(scenario.tags, std::vector<std::string>{"ci"});
  EXPECT_EQ(*scenario.resolved, policies::json_from_text<nlohmann::ordered_json>(kEverything));

  const ClusterSpec& cluster = scenario.cluster;
  ASSERT_EQ(cluster.heads.size(), 1U);
  EXPECT_EQ(cluster.heads[0].name, "head-0");
  ASSERT_EQ(cluster.pools.size(), 2U);
  const PoolSpec& gpu = cluster.pools[0];
  EXPECT_EQ(gpu.nodes, 16U);
  EXPECT_EQ(gpu.spares, 1U);
  EXPECT_EQ(gpu.max_nodes, 20U);
  EXPECT_EQ(gpu.racks, 4U);
  EXPECT_EQ(gpu.accelerator, AcceleratorKind::kNpu);
  EXPECT_EQ(gpu.accelerators_per_node, 8U);
  EXPECT_EQ(gpu.nic_bytes_per_s, 50'000'000'000);
  EXPECT_EQ(gpu.market, Market::kSpot);
  EXPECT_EQ(gpu.replacement, Replacement::kProvision);
  EXPECT_EQ(gpu.provision, Distribution::constant(180'000'000));
  ASSERT_TRUE(gpu.repair);
  EXPECT_EQ(gpu.repair->shape, decltype(Distribution::shape)(Distribution::Lognormal{7.2e10, 1.2}));
  EXPECT_EQ(gpu.repair->max_us, 864'000'000'000);
  EXPECT_EQ(gpu.price_per_node_hour, 32.5);

  const PoolSpec& small = cluster.pools[1];
  EXPECT_EQ(small.max_nodes, 1U);
  EXPECT_EQ(small.accelerator, AcceleratorKind::kGpu);
  EXPECT_EQ(small.accelerators_per_node, 4U);
  EXPECT_FALSE(small.nic_bytes_per_s);
  EXPECT_EQ(small.market, Market::kReserved);
  EXPECT_EQ(small.replacement, Replacement::kNone);
  EXPECT_FALSE(small.repair);

  ASSERT_EQ(cluster.storage.size(), 2U);
  EXPECT_EQ(cluster.storage[1].kind, StorageKind::kLocal);
  EXPECT_EQ(cluster.storage[0].read_bytes_per_s, 200'000'000'000);
  EXPECT_EQ(cluster.storage[0].write_bytes_per_s, 100'000'000'000);
  EXPECT_EQ(cluster.heartbeat.every_us, 2'000'000);
  EXPECT_EQ(cluster.heartbeat.misses, 5U);
  EXPECT_EQ(cluster.rack_uplink_bytes_per_s, 400'000'000'000);
  EXPECT_FALSE(cluster.workers_die_with_head);
}

TEST(Read, Jobs) {
  const Scenario scenario = read(kEverything);
  ASSERT_EQ(scenario.jobs.size(), 2U);
  const JobSpec& llm = scenario.jobs[0];
  EXPECT_EQ(llm.pool, 0U);
  EXPECT_EQ(llm.workers, 128U);
  EXPECT_EQ(llm.steps, 20'000);
  EXPECT_EQ(llm.step_us, 12'000'000);
  EXPECT_EQ(llm.priority, -3);
  EXPECT_EQ(llm.submit_us, 60'000'000);
  ASSERT_TRUE(llm.checkpoint);
  EXPECT_EQ(llm.checkpoint->every_us, 1'800'000'000);
  EXPECT_FALSE(llm.checkpoint->every_steps);
  EXPECT_EQ(llm.checkpoint->bytes, 2'000'000'000'000);
  EXPECT_EQ(llm.checkpoint->blocking_us, 10'000'000);
  EXPECT_TRUE(llm.checkpoint->async_upload);
  EXPECT_EQ(llm.checkpoint->keep, 2U);
  EXPECT_FALSE(llm.checkpoint->at_end);
  EXPECT_EQ(llm.phases.launching, Distribution::constant(20'000'000));
  EXPECT_EQ(llm.phases.rendezvous.shape,
            decltype(Distribution::shape)(Distribution::Uniform{30'000'000, 60'000'000}));
  EXPECT_EQ(llm.restart_phases.launching, Distribution::constant(5'000'000));
  EXPECT_EQ(llm.restart_phases.rendezvous, llm.phases.rendezvous);
  EXPECT_EQ(llm.collective_timeout_us, 600'000'000);
  EXPECT_EQ(llm.hang_after_us, 1'800'000'000);
  EXPECT_FALSE(llm.fixed_detection_us);
  EXPECT_TRUE(llm.script.saves);
  EXPECT_FALSE(llm.script.resumes);
  EXPECT_FALSE(llm.script.reentrant);
  EXPECT_EQ(llm.script.setup_us, 300'000'000);
  EXPECT_EQ(llm.run.storage, 0U);
  EXPECT_EQ(llm.run.storage_path, "s3://bucket");
  EXPECT_EQ(llm.run.name, "quickstart");
  EXPECT_EQ(llm.env.at("RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"), "60");
  EXPECT_EQ(llm.policy.name, "ray_train");
  EXPECT_EQ(llm.policy.profile, "2026-05");
  EXPECT_EQ(*llm.policy.config, nlohmann::json({{"max_failures", 3}}));

  const JobSpec& eval = scenario.jobs[1];
  EXPECT_EQ(eval.pool, 1U);
  EXPECT_FALSE(eval.steps);
  EXPECT_FALSE(eval.checkpoint);
  EXPECT_FALSE(eval.collective_timeout_us);
  EXPECT_EQ(eval.fixed_detection_us, 60'000'000);
  EXPECT_FALSE(eval.run.storage);
}

TEST(Read, Faults) {
  const Scenario scenario = read(kEverything);
  ASSERT_EQ(scenario.faults.size(), 8U);
  const auto& faults = scenario.faults;
  const auto effect = [&](std::size_t i) { return faults[i].effects.at(0).effect; };

  EXPECT_EQ(faults[0].id, "spot-1");
  EXPECT_EQ(faults[0].at_us, 18'000'000'000);
  EXPECT_EQ(faults[0].require, Requirement::kCausedRestart);
  EXPECT_EQ(faults[0].target.kind, TargetKind::kNode);
  EXPECT_EQ(faults[0].target.index, 3U);
  EXPECT_EQ(faults[0].target.text, "node:gpu-3");
  EXPECT_EQ(effect(0).kind, FaultKind::kPreemption);
  EXPECT_EQ(effect(0).notice_us, 120'000'000);
  EXPECT_TRUE(effect(0).until_repaired) << "the pool has a repair law";

  EXPECT_EQ(faults[1].at_step, 9000);
  EXPECT_EQ(faults[1].step_job, 0U);
  EXPECT_TRUE(faults[1].every_attempt);
  EXPECT_EQ(faults[1].target.kind, TargetKind::kRank);
  EXPECT_EQ(faults[1].target.rank, 17U);
  EXPECT_EQ(effect(1).code, "ascend:80E01801");
  EXPECT_TRUE(effect(1).until_repaired);

  ASSERT_TRUE(faults[2].when);
  EXPECT_EQ(faults[2].when->phase, Phase::kRestoring);
  EXPECT_EQ(faults[2].when->nth, 2U);
  EXPECT_EQ(faults[2].when->offset_ppm, 500'000);
  EXPECT_FALSE(effect(2).answers);
  EXPECT_FALSE(effect(2).lasts);

  EXPECT_EQ(faults[3].id, "node_crash@pool:gpu");
  EXPECT_EQ(effect(3).label, "power");
  ASSERT_TRUE(faults[3].source);
  EXPECT_EQ(faults[3].source->mean_gap_us, 264 * 86'400'000'000.0);
  EXPECT_EQ(faults[3].source->per, RatePer::kNode);

  EXPECT_EQ(faults[4].target.kind, TargetKind::kRack);
  EXPECT_EQ(faults[4].target.index, 2U);
  EXPECT_EQ(effect(4).lasts->shape,
            decltype(Distribution::shape)(Distribution::Exponential{600'000'000}));

  EXPECT_EQ(faults[5].target.index, 16U) << "spares come after the nodes";
  EXPECT_EQ(faults[5].target.accelerator, 3U);
  EXPECT_EQ(effect(5).manner, CrashManner::kOutOfMemory);
  EXPECT_EQ(effect(5).exit_code, 137);
  EXPECT_EQ(effect(5).label, "worker_crash");

  EXPECT_EQ(faults[6].target.index, 19U) << "provisioned nodes come after the spares";
  EXPECT_EQ(faults[6].when->job, 1U);
  EXPECT_EQ(faults[6].when->offset_us, 90'000'000);
  EXPECT_FALSE(faults[6].when->offset_ppm);
  EXPECT_EQ(effect(6).exit_code, 3);

  EXPECT_EQ(faults[7].id, "fault@pool:gpu");
  ASSERT_EQ(faults[7].effects.size(), 2U);
  EXPECT_EQ(faults[7].effects[0].weight, 148);
  EXPECT_EQ(faults[7].effects[0].effect.label, "faulty NPU");
  EXPECT_FALSE(faults[7].effects[0].effect.lasts) << "as long as the device needs";
  EXPECT_EQ(faults[7].effects[1].effect.kind, FaultKind::kHang);
  EXPECT_EQ(faults[7].effects[1].weight, 1);
}

TEST(Read, Expectations) {
  const Scenario scenario = read(kEverything);
  ASSERT_EQ(scenario.expect.size(), 3U);
  EXPECT_EQ(**scenario.expect[0].is, "completed");
  EXPECT_EQ(scenario.expect[1].min, 1);
  EXPECT_EQ(scenario.expect[1].max, 3);
  EXPECT_FALSE(scenario.expect[1].is);
  EXPECT_EQ(scenario.expect[2].near, 0.9);
  EXPECT_EQ(scenario.expect[2].within, 0.01);
}

TEST(Read, DefaultsAreThoseOfTheDescription) {
  const Scenario scenario = read(kSmallest);
  EXPECT_EQ(scenario.seed, 1U);
  EXPECT_FALSE(scenario.until_us);
  EXPECT_EQ(scenario.cluster.heads.at(0).name, "head-0");
  EXPECT_EQ(scenario.cluster.heartbeat.every_us, 5'000'000);
  EXPECT_EQ(scenario.cluster.heartbeat.misses, 3U);
  EXPECT_TRUE(scenario.cluster.workers_die_with_head);
  const JobSpec& job = scenario.jobs.at(0);
  EXPECT_EQ(job.collective_timeout_us, 1'800'000'000);
  EXPECT_EQ(job.phases.launching, Distribution::constant(0));
  EXPECT_TRUE(job.script.saves && job.script.resumes && job.script.reentrant);
  EXPECT_TRUE(scenario.faults.empty() && scenario.expect.empty());
}

std::vector<std::string> warnings(const std::string& set) {
  ReadOptions options;
  options.sets = {"/until=1d", set};
  auto result = read_scenario_text(kSmallest, "smallest.json", options);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&result)) {
    return {"error: " + format(errors->front())};
  }
  return std::get<ReadScenario>(std::move(result)).warnings;
}

TEST(Read, WarnsOfWhatHasNoEffect) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(warnings("/seed=1"), Lines{});
  EXPECT_EQ(
      warnings("/jobs/0/submit=1d"),
      Lines{"--set /jobs/0/submit=1d: /jobs/0/submit: is never submitted: the simulation ends "
            "before"});
  EXPECT_EQ(warnings(R"(/faults/-={"kind": "hang", "target": "job:llm", "at": "2d"})").size(), 1U);
  const Lines small = warnings(R"(/cluster/pools/0={"name": "gpu", "nodes": 1, "max_nodes": 2})");
  EXPECT_EQ(small.size(), 2U) << "and max_nodes brings none";
  EXPECT_EQ(small.front(),
            "smallest.json:3:38: /jobs/0/workers: needs 2 nodes, and pool \"gpu\" starts with "
            "1 and gets no others");
  EXPECT_EQ(warnings("/jobs/0/policy/config/max_failures=-2").size(), 1U)
      << "the policy's own warning";
}

// Settings that only Train V1 has, and what it needs for them.
TEST(Read, WarnsOfWhatOnlyTrainV1Does) {
  struct Row {
    std::string job;
    std::vector<std::string> at;
  };
  const std::string synced = R"("run": {"sync_artifacts": true, "sync_period": "2min"},)";
  const std::string v2 = R"("policy": {"name": "ray_train"})";
  const std::string v1 = R"("policy": {"name": "ray_train_v1", "config": )";
  const std::string from = v1 + R"({"resume_from_checkpoint": "s3://r/a/c"}})";
  const std::vector<Row> rows{
      {synced + v2, {"/run/sync_artifacts: has no effect", "/run/sync_period: has no effect"}},
      {R"("run": {"sync_artifacts": true},)" + v2, {"/run/sync_artifacts: has no effect"}},
      {R"("run": {"sync_artifacts": false},)" + v2, {}},
      {synced + v1 + "{}}", {}},
      {synced + R"("env": {"RAY_TRAIN_V2_ENABLED": "0"},)" + v2,
       {"/env/RAY_TRAIN_V2_ENABLED: "}},  // the switch itself, and nothing of the files
      {from, {"/policy/config/resume_from_checkpoint: has no effect alone"}},
      {R"("initial_checkpoint": {"steps": 5},)" + from, {}},
      {v1 + R"({"resume_from_checkpoint": null}})", {}},
  };
  for (const Row& row : rows) {
    const auto found = warnings(
        R"(/jobs/0={"name": "llm", "workers": 8, "steps": 10, "step": "1s",)" + row.job + "}");
    ASSERT_EQ(found.size(), row.at.size()) << row.job;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NE(found[i].find("/jobs/0" + row.at[i]), std::string::npos) << found[i];
    }
  }
}

// An elastic job is too large for its pool only when its least size is.
TEST(Read, WarnsOfPoolsTooSmallForTheLeastSize) {
  const auto found = [](const std::string& size) {
    return warnings(R"(/jobs/0={"name": "llm", "workers": 32, "steps": 10, "step": "1s",
      "policy": {"name": "ray_train", "config": {"num_workers": )" +
                    size + "}}}");
  };
  EXPECT_TRUE(found("[2, 32]").empty());
  EXPECT_TRUE(found("[16, 32]").empty());
  ASSERT_EQ(found("[17, 32]").size(), 1U);
  EXPECT_NE(found("[17, 32]")[0].find("17 workers need 3 nodes"), std::string::npos);
  ASSERT_EQ(found("32").size(), 1U);
  EXPECT_NE(found("32")[0].find("32 workers need 4 nodes"), std::string::npos);
}

// On the kind of pool: what a code is read as, or its error; and the warnings.
struct CodeCase {
  std::string kind;
  std::string code;
  std::string canonical;
  std::string warning;  ///< a part of it; empty: there is none
};

TEST(Read, CodesOfAcceleratorFaults) {
  const std::vector<CodeCase> cases{
      {"gpu", "xid:94", "xid:94", ""},
      {"gpu", "contained_ecc", "xid:94", ""},
      {"gpu", "xid:gpu_fell_off_bus", "xid:79", ""},
      {"gpu", "xid:999", "xid:999", "no list has \"xid:999\": NVIDIA's catalogue names no action"},
      {"npu", "ascend:80E01801", "ascend:80E01801", ""},
      {"npu", "ascend:0x80e01801", "ascend:80E01801", ""},
      {"npu", "hbm_multi_bit_ecc", "ascend:80E01801", ""},
      {"npu", "port_link_down", "ascend:81078603", ""},
      {"npu", "80E0FFFF", "ascend:80E0FFFF", "whose severity nobody knows, as SeparateNPU"},
      {"npu", "8107ffff", "ascend:8107FFFF", "does not list as PreSeparateNPU"},
      {"npu", "2C000031", "ascend:2C000031", "is in the list of node codes, not of accelerators"},
      {"npu", "[0x08520003,na,L2,na]", "ascend:[0x08520003,na,L2,na]", "switch codes"},
  };
  for (const CodeCase& each : cases) {
    SCOPED_TRACE(each.kind + " " + each.code);
    ReadOptions options;
    options.sets = {"/cluster/pools/0/accelerators={\"kind\": \"" + each.kind + "\"}",
                    R"(/faults/-={"kind": "accelerator_fault", "target": "job:llm", "at": "1s",)"
                    R"( "code": ")" +
                        each.code + "\"}"};
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result))
        << format(std::get<std::vector<ScenarioError>>(result).front());
    const ReadScenario& read = std::get<ReadScenario>(result);
    EXPECT_EQ(read.scenario.faults.at(0).effects.at(0).effect.code, each.canonical);
    ASSERT_EQ(read.warnings.size(), each.warning.empty() ? 0U : 1U);
    if (!each.warning.empty()) {
      EXPECT_NE(read.warnings[0].find(each.warning), std::string::npos) << read.warnings[0];
    }
  }
}

TEST(Read, PolicyKeepsAsManyCheckpointsAsTheJobSays) {
  JobSpec job;
  job.policy.name = "ray_train";
  EXPECT_FALSE(policy_request(job).config->contains("num_to_keep"));
  job.checkpoint.emplace();
  job.checkpoint->keep = 3;
  EXPECT_EQ(policy_request(job).config->at("num_to_keep"), 3);
  *job.policy.config = {{"num_to_keep", nullptr}};
  EXPECT_EQ(policy_request(job).config->at("num_to_keep"), nullptr);
}

}  // namespace
}  // namespace aftershock::sim::scenario
