#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// Agents that end apart from their nodes, and ranks that return before the others. Agents of
// torchrun and NVRx on two nodes of two ranks look each second, at whole seconds. With gloo, peers
// of what ends are gone after 0.3 s + 2 s. The work is done at 1,000 s, and saved each 100 s.
namespace aftershock::sim::world {
namespace {

struct AgentsRow {
  const char* what;
  const char* policy;
  const char* config;
  const char* faults;  // each begins at 'at'
  const char* reason;
  std::int64_t wall_us;
  std::int64_t charged;
};

constexpr const char* kNone = R"("nproc_per_node":2)";
constexpr const char* kEtcd = R"("nproc_per_node":2,"rdzv_backend":"etcd-v2")";
constexpr const char* kElastic = R"("nproc_per_node":2,"nnodes":"1:2")";

constexpr const char* kStore = R"({"kind":"policy_crash","target":"job:a/agent:0","at":"101.5s"})";
constexpr const char* kKilled = R"({"kind":"policy_crash","target":"job:a/agent:1","at":"101.5s"})";
constexpr const char* kTerm =
    R"({"kind":"policy_crash","signal":"SIGTERM","target":"job:a/agent:1","at":"101.5s"})";
constexpr const char* kStoreTerm =
    R"({"kind":"policy_crash","signal":"SIGTERM","target":"job:a/agent:0","at":"101.5s"})";
constexpr const char* kKilledThenRank0 =
    R"({"kind":"policy_crash","target":"job:a/agent:1","at":"101.5s"},)"
    R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:0","at":"201.5s"})";
constexpr const char* kKilledThenRank2 =
    R"({"kind":"policy_crash","target":"job:a/agent:1","at":"101.5s"},)"
    R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:2","at":"201.5s"})";
constexpr const char* kBoth = R"({"kind":"policy_crash","target":"job:a/agent:1","at":"101.5s"},)"
                              R"({"kind":"policy_crash","target":"job:a/agent:0","at":"201.5s"})";
constexpr const char* kReturns =
    R"({"kind":"worker_crash","how":"exit","exit_code":0,"target":"job:a/rank:2","at":"101.5s"},)"
    R"({"kind":"worker_crash","how":"exit","exit_code":0,"target":"job:a/rank:3","at":"101.5s"})";
constexpr const char* kOneReturns =
    R"({"kind":"worker_crash","how":"exit","exit_code":0,"target":"job:a/rank:2","at":"101.5s"})";

constexpr const char* kCompleted = "completed";
constexpr const char* kStoreLost = "gave_up(torchrun.store.lost)";
constexpr const char* kTimeout = "gave_up(torchrun.rendezvous.timeout)";
constexpr const char* kNvrxStoreLost = "gave_up(nvrx.store.lost)";
constexpr const char* kNvrxTimeout = "gave_up(nvrx.rendezvous.timeout)";

constexpr AgentsRow kRows[] = {
    {"killed: nobody notices, and the others wait 300 s in the exit barrier", "torchrun", kNone,
     kKilled, kCompleted, 1'300'000'000, 0},
    {"the store's killed: the others end at their next look", "torchrun", kNone, kStore, kStoreLost,
     102'000'000, 0},
    {"a store in etcd is elsewhere", "torchrun", kEtcd, kStore, kCompleted, 1'300'000'000, 0},
    {"terminated: the peers are gone at 103.8 s, charged, and wait 600 s for it", "torchrun", kNone,
     kTerm, kTimeout, 704'000'000, 1},
    {"terminated under nnodes 1:2: the other goes on at half the pace behind a last call of 30 s",
     "torchrun", kElastic, kTerm, kCompleted, 1'934'000'000, 1},
    {"the store's terminated: the others end before their workers do", "torchrun", kNone,
     kStoreTerm, kStoreLost, 102'000'000, 0},
    {"killed, and a rank of another fails: the agent is missed then", "torchrun", kNone,
     kKilledThenRank0, kTimeout, 802'000'000, 1},
    {"killed, and a rank of its own fails: only its peers are seen", "torchrun", kNone,
     kKilledThenRank2, kTimeout, 804'000'000, 1},
    {"the last one is killed", "torchrun", kEtcd, kBoth, "gave_up(torchrun.agent.none_left)",
     201'500'000, 0},
    {"all ranks of a node return: its agent stays in the exit barrier until 402 s, and closes the "
     "rendezvous in which the other waits from 104 s on",
     "torchrun", kNone, kReturns, "gave_up(torchrun.rendezvous.closed)", 402'000'000, 1},
    {"one of two ranks returns: its agent sees the other fail, and restarts both", "torchrun",
     kNone, kOneReturns, kCompleted, 1'004'000'000, 2},
    {"killed under NVRx: nobody notices", "nvrx", kNone, kKilled, kCompleted, 1'300'000'000, 0},
    {"the store's killed under NVRx", "nvrx", kNone, kStore, kNvrxStoreLost, 102'000'000, 0},
    {"terminated under NVRx: all wait 300 s", "nvrx", kNone, kTerm, kNvrxTimeout, 404'000'000, 1},
    {"all ranks of a node return under NVRx: the others wait 300 s", "nvrx", kNone, kReturns,
     kNvrxTimeout, 404'000'000, 1},
};

Outcomes run(const std::string& policy, const std::string& config, const std::string& faults,
             const char* more = "") {
  return simulated(fmt::format(
      R"({{{}"job":{{"checkpoint":{{"every":"100s"}},"collectives":{{"transport":"gloo",)"
      R"("peer_ended":"300ms","gone_after":"2s"}},"policy":{{"name":"{}","config":{{)"
      R"("max_failures":null,"max_restarts":3,"monitor_interval":1,{}}}}}}},"faults":[{}]}})",
      more, policy, config, faults));
}

TEST(Agents, EndApartFromTheirNodes) {
  for (const AgentsRow& row : kRows) {
    SCOPED_TRACE(row.what);
    const Outcomes found = run(row.policy, row.config, row.faults);
    EXPECT_EQ(found.job()["reason"], row.reason);
    EXPECT_EQ(found.wall(), row.wall_us);
    EXPECT_EQ(found.used("max_restarts"), row.charged);
  }
}

}  // namespace
}  // namespace aftershock::sim::world
