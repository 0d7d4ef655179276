#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// Containers that outlive their processes, and pods that are made anew beside others
// (modelarts.md 1 and 2.2). Set-up takes 5 s in a fresh container, so the job works from 5 s on,
// and nothing is saved: what breaks at 104 s has lost 99 s.
namespace aftershock::sim::world {
namespace {

Outcomes broken(const std::string& pool, const std::string& fault) {
  return simulated(fmt::format(
      R"({{"pool":{{"accelerators":{{"kind":"npu"}}{}}},"job":{{"script":{{"setup":"5s"}},"policy":)"
      R"({{"name":"modelarts","config":{{"max_failures":null,"fault-tolerance/job-retry-num":"8",)"
      R"("fault-tolerance/pod-retry-num":"3"}}}}}},"faults":[{}]}})",
      pool, fault));
}

std::string env(const Outcomes& run, std::size_t pods) {
  const auto& given = run.job()["pods"].at(pods);
  return fmt::format("{} ({},{})", given["ranks"].get<std::string>(),
                     given["env"]["MA_SCHEDULE_CNT"].get<std::string>(),
                     given["env"]["MA_PROC_START_CNT"].get<std::string>());
}

TEST(Pods, AreKeptWhileAChipHeals) {
  const Outcomes run =
      broken("", R"({"kind":"accelerator_fault","code":"hbm_multi_bit_ecc","heal":"15s",)"
                 R"("target":"accelerator:p-0/1","at":"104s"})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 5_s},
                                   {"rolled_back", 99_s},
                                   {"self_healing", 15_s},
                                   {"productive", 1000_s}}));
  EXPECT_EQ(run.job()["pods"].size(), 1U);
  EXPECT_EQ(env(run, 0), "[[0,3]] (1,2)");
}

// Heartbeats stay away at 105, 110 and 115 s.
TEST(Pods, OfADeadNodeAloneAreMadeAnew) {
  const Outcomes run =
      broken(R"(,"spares":1)", R"({"kind":"node_crash","target":"node:p-1","at":"104s"})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 10_s},
                                   {"undetected", 11_s},
                                   {"rolled_back", 99_s},
                                   {"productive", 1000_s}}));
  ASSERT_EQ(run.job()["pods"].size(), 2U);
  EXPECT_EQ(env(run, 0), "[[0,1]] (1,2)");
  EXPECT_EQ(env(run, 1), "[[2,3]] (2,1)");
}

// The node is well again 100 s after its crash, and nobody else has one.
TEST(Pods, WaitForANodeThatIsRepaired) {
  const Outcomes run =
      broken(R"(,"repair":"100s")", R"({"kind":"node_crash","target":"node:p-1","at":"104s"})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 10_s},
                                   {"undetected", 11_s},
                                   {"waiting_for_capacity", 89_s},
                                   {"rolled_back", 99_s},
                                   {"productive", 1000_s}}));
}

// Two nodes fetch 10 GB at 1 GB/s, and the platform takes 4 s a pod and 1 s a pod for the table: 30
// s for the first start. Of one pod on a spare it is 10 + 4 + 2 s; of both, which only the spare's
// image is missing for, 10 + 8 + 2 s; in kept containers it is nothing.
TEST(Pods, CostTheirStart) {
  struct Case {
    const char* fault;
    const char* pod_retries;
    std::int64_t launching_us;
  };
  constexpr const char* kNodeLost = R"({"kind":"node_crash","target":"node:p-1","at":"104s"})";
  const Case cases[] = {
      {kNodeLost, "3", 30_s + 5_s + 16_s + 5_s},
      {kNodeLost, "0", 30_s + 5_s + 20_s + 5_s},
      {R"({"kind":"accelerator_fault","code":"hbm_multi_bit_ecc","heal":"15s",)"
       R"("target":"accelerator:p-0/1","at":"104s"})",
       "3", 30_s + 5_s},
  };
  for (const Case& each : cases) {
    const Outcomes run = simulated(fmt::format(
        R"({{"pool":{{"spares":1,"accelerators":{{"kind":"npu"}}}},"job":{{"script":{{"setup":"5s"}},)"
        R"("pods":{{"image":"10GB","registry":"1GB/s","each":"4s","rank_table":"1s"}},"policy":)"
        R"({{"name":"modelarts","config":{{"max_failures":null,"fault-tolerance/job-retry-num":"8",)"
        R"("fault-tolerance/pod-retry-num":"{}"}}}}}},"faults":[{}]}})",
        each.pod_retries, each.fault));
    EXPECT_EQ(run.job()["outcome"], "completed") << each.fault;
    EXPECT_EQ(run.ledger().at("launching"), each.launching_us)
        << each.fault << " with " << each.pod_retries;
  }
}

// A wait of 30 minutes is over at 1915 s: pod rescheduling has failed, the job waits as long again.
TEST(Pods, ThatFindNoNodeInTimeTakeTheJobWithThem) {
  const Outcomes run = broken("", R"({"kind":"node_crash","target":"node:p-1","at":"104s"})");
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "gave_up(modelarts.queue.no_resource_timeout)");
  EXPECT_EQ(run.wall(), 115_s + 1800_s + 1800_s);
  EXPECT_EQ(run.used("pod-retry-num"), 1);
  EXPECT_EQ(run.used("job-retry-num"), 1);
}

}  // namespace
}  // namespace aftershock::sim::world
