// Plans for drivers, and what keeps a scenario from being run live.
#include "sim/live/plan.h"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::live {
namespace {

// The base scenario with the JSON object `patch` merged over it.
scenario::Scenario pair_with(const std::string& patch) {
  auto json = policies::json_from_text<nlohmann::json>(
      R"({"schema":1,"name":"pair","seed":1,"until":"2min",
  "cluster":{"pools":[{"name":"gpu","nodes":2,"spares":1,
                       "accelerators":{"kind":"gpu","per_node":1}}]},
  "jobs":[{"name":"llm","workers":2,"steps":60,"step":"500ms","checkpoint":{"every_steps":5},
           "policy":{"name":"torchrun","config":{"max_restarts":3}}}]})");
  json.merge_patch(policies::json_from_text<nlohmann::json>(patch));
  auto read = scenario::read_scenario_text(policies::text_from_json(json), "test", {});
  const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read);
  EXPECT_EQ(errors, nullptr) << (errors == nullptr ? "" : scenario::format(errors->front()));
  return std::get<scenario::ReadScenario>(std::move(read)).scenario;
}

std::string with_fault(const std::string& members) { return R"({"faults":[{)" + members + "}]}"; }

TEST(LivePlan, RefusesWithThePlace) {
  struct Row {
    std::string patch;
    Backend backend;
    std::vector<Refusal> refusals;
  };
  const std::string at = R"(,"at":"5s")";
  const std::vector<Row> rows{
      {"{}", Backend::kTorchrun, {}},
      {R"({"cluster":{"pools":[{"name":"gpu","nodes":3,"accelerators":{"kind":"gpu","per_node":1}}]},)"
       R"("jobs":[{"name":"llm","workers":4,"steps":60,"step":"500ms",)"
       R"("policy":{"name":"torchrun","config":{"max_restarts":3}}}]})",
       Backend::kTorchrun,
       {{"/jobs/0/workers", "4 agents have a node each, and the pool has 3"}}},
      {R"({"cluster":{"pools":[{"name":"gpu","nodes":1,"accelerators":{"kind":"gpu","per_node":4}}]},)"
       R"("jobs":[{"name":"llm","workers":4,"steps":60,"step":"500ms",)"
       R"("policy":{"name":"torchrun","config":{"max_restarts":3,"nproc_per_node":4}}}]})",
       Backend::kTorchrun,
       {}},
      {"{}",
       Backend::kRay,
       {{"/jobs/0/policy/name",
         "\"torchrun\" decides here, and --backend ray runs \"ray_train\""}}},
      {R"({"until":null})",
       Backend::kTorchrun,
       {{"", "a live run ends by itself; expected \"until\""}}},
      {with_fault(R"("kind":"worker_crash","target":"job:llm/rank:1")" + at),
       Backend::kTorchrun,
       {}},
      {with_fault(R"("kind":"policy_crash","target":"job:llm/agent:1")" + at),
       Backend::kTorchrun,
       {}},
      {with_fault(R"("kind":"accelerator_fault","code":"xid:94","target":"accelerator:gpu-0/0")" +
                  at),
       Backend::kTorchrun,
       {{"/faults/0",
         "accelerator_fault cannot be done live by torchrun: real processes on one machine have "
         "nothing "
         "that it could be done to"}}},
      {with_fault(R"("kind":"preemption","target":"node:gpu-0","notice":"6s")" + at),
       Backend::kTorchrun,
       {{"/faults/0",
         "preemption cannot be done live by torchrun: nobody tells its agents of a notice"}}},
      {with_fault(
           R"("kind":"worker_crash","target":"pool:gpu","source":{"exponential":{"mtbf":"1h","per":"node"}})"),
       Backend::kTorchrun,
       {{"/faults/0",
         "a random source strikes otherwise in each run; a live run takes scripted faults"}}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(refusals(pair_with(row.patch), {.backend = row.backend}), row.refusals) << row.patch;
  }
}

TEST(LivePlan, RefusesASpeedThatConstantsDoNotFollow) {
  struct Row {
    std::string patch;
    double speed;
    std::vector<Refusal> refusals;
  };
  const std::string slow = R"("phases":{"launching":"20s"})";
  const auto job = [](const std::string& members) {
    return R"("name":"llm","workers":2,"steps":60,"step":"500ms",)" + members;
  };
  const auto pair = [&](const std::string& phases, const std::string& more,
                        const std::string& heartbeat = "20s") {
    return R"({"cluster":{"heartbeat":{"every":")" + heartbeat + R"("}},"jobs":[{)" + job(phases) +
           R"(,"policy":{"name":"torchrun","config":{"max_restarts":3,"rdzv_conf":)" + more +
           "}}}]}";
  };
  const std::string multiples = R"({"join_timeout":600})";
  const std::vector<Row> rows{
      {"{}", 1, {}},
      {pair(slow, multiples), 10, {}},
      {pair(R"("phases":{"launching":"5s"})", multiples),
       10,
       {{"/jobs/0/phases/launching",
         "5 s at --speed 10 is 0.5 s, and processes take 2 s to start at any speed; expected 20 s "
         "or more"}}},
      {pair(slow, "{}", "5s"),
       2,
       {{"/cluster/heartbeat/every",
         "5 s at --speed 2 is 2.5 s, which the rendezvous reads as 2 s"}}},
      {pair(slow, R"({"join_timeout":600,"last_call_timeout":4})"),
       10,
       {{"/jobs/0/policy/config/rdzv_conf/last_call_timeout",
         "4 s at --speed 10 is 0.4 s, which the rendezvous reads as 1 s"}}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(refusals(pair_with(row.patch), {.backend = Backend::kTorchrun, .speed = row.speed}),
              row.refusals)
        << row.patch;
  }
}

TEST(LivePlan, RefusesASpeedAtWhichAHangEndsBeforeItsWorkerIsKilled) {
  auto scenario = pair_with(
      R"({"until":"1h","cluster":{"heartbeat":{"every":"5s"}},"jobs":[{"name":"llm","workers":2,"steps":60,)"
      R"("step":"500ms","policy":{"name":"torchrun","config":{"rdzv_conf":)"
      R"({"join_timeout":600}}}}],"faults":[{"kind":"hang","at":"5s","answers":false,)"
      R"("lasts":"10min","target":"job:llm/rank:1"}]})");
  scenario.jobs.front().phases.launching = scenario::Distribution::constant(20'000'000);
  const auto refused = refusals(scenario, {.backend = Backend::kTorchrun, .speed = 5});
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused.front().pointer, "/faults/0");
  EXPECT_EQ(refused.front().why,
            "torchrun kills a worker that does not answer after 30 s at any speed, which is more "
            "than a tenth of 120 s at --speed 5");
}

TEST(LivePlan, RefusesASpeedThatMovesTheExitBarrierIntoARunOrOutOfIt) {
  const auto refused_by = [](const std::string& until) {
    auto scenario = pair_with(
        R"({"until":")" + until +
        R"(","cluster":{"heartbeat":{"every":"5s"}},"jobs":[{"name":"llm","workers":2,"steps":60,)"
        R"("step":"500ms","policy":{"name":"torchrun","config":{"rdzv_conf":)"
        R"({"join_timeout":600}}}}],"faults":[{"kind":"worker_crash","how":"exit","exit_code":0,)"
        R"("at":"5s","target":"job:llm/rank:1"}]})");
    scenario.jobs.front().phases.launching = scenario::Distribution::constant(20'000'000);
    return refusals(scenario, {.backend = Backend::kTorchrun, .speed = 5});
  };
  EXPECT_EQ(refused_by("5min"), std::vector<Refusal>{});
  EXPECT_EQ(refused_by("6min"),
            (std::vector<Refusal>{
                {"/faults/0",
                 "an agent whose ranks have returned waits 300 s for the others at any speed, "
                 "which --speed 5 would make 1500 s; expected an until of 300 s or less"}}));
}

TEST(LivePlan, NamesTheAgentAndItsSignal) {
  const auto fault_of = [](const std::string& members) {
    const scenario::Scenario scenario = pair_with(with_fault(members));
    return policies::json_from_text<nlohmann::json>(
        plan_line(scenario, {.backend = Backend::kTorchrun}))["faults"][0];
  };
  const auto killed = fault_of(R"("kind":"policy_crash","target":"job:llm/agent:1","at":"5s")");
  EXPECT_EQ(killed["target"], nlohmann::json({{"agent", 1}}));
  EXPECT_EQ(killed["signal"], "SIGKILL");
  EXPECT_EQ(killed["lasts_s"], nlohmann::json());
  const auto ended =
      fault_of(R"("kind":"policy_crash","signal":"SIGTERM","target":"job:llm/agent:0","at":"5s")");
  EXPECT_EQ(ended["target"], nlohmann::json({{"agent", 0}}));
  EXPECT_EQ(ended["signal"], "SIGTERM");
  const auto returned = fault_of(
      R"("kind":"worker_crash","how":"exit","exit_code":0,"target":"job:llm/rank:1","at":"5s")");
  EXPECT_EQ(returned["exit_code"], 0);
}

TEST(LivePlan, TellsDurationsInSecondsDividedByTheSpeed) {
  const scenario::Scenario scenario =
      pair_with(with_fault(R"("id":"kill","kind":"worker_crash","how":"exit","exit_code":137,)"
                           R"("target":"job:llm/rank:1","at":"12s")"));
  const auto plan = policies::json_from_text<nlohmann::json>(
      plan_line(scenario, {.backend = Backend::kTorchrun, .speed = 2, .isolated = true}));
  EXPECT_EQ(plan.at("until_s"), 60.0);
  EXPECT_EQ(plan.at("/job/step_s"_json_pointer), 0.25);
  EXPECT_EQ(plan.at("/faults/0/at_s"_json_pointer), 6.0);
  EXPECT_EQ(plan.at("/faults/0/exit_code"_json_pointer), 137);
  EXPECT_EQ(plan.at("/faults/0/target"_json_pointer), nlohmann::json({{"rank", 1}}));
  EXPECT_EQ(plan.at("/cluster/nodes/1/name"_json_pointer), "gpu-1");
  EXPECT_EQ(plan.at("/cluster/spares/0/name"_json_pointer), "gpu-spare-0");
  EXPECT_EQ(plan.at("/policy/config/max_restarts"_json_pointer), 3);
  EXPECT_EQ(plan.at("/job/checkpoint/every_steps"_json_pointer), 5);
}

}  // namespace
}  // namespace aftershock::sim::live
