#include "sim/scenario/read/check_mistakes.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::scenario {
namespace {

// Three days of work within ten, saved every half hour to a storage that takes 50 s for it.
constexpr const char* kBase = R"({"schema": 1, "name": "odd", "until": "10d",
  "cluster": {"pools": [{"name": "gpu", "nodes": 8, "spares": 1}],
              "storage": [{"name": "s3", "read": "20GB/s", "write": "10GB/s"}]},
  "jobs": [{"name": "llm", "pool": "gpu", "workers": 64, "steps": 25920, "step": "10s",
            "checkpoint": {"every": "30min", "bytes": "500GB", "blocking": "10s",
                           "upload": "async"},
            "policy": {"name": "ray_train", "config": {"max_failures": 5}}}]})";

constexpr std::string_view kEmptyHealing =
    R"(is empty, so healing works as if it were left out: in 15 s, and always; say what "takes" )"
    R"(and "fails" are (with "fails": 1 nothing heals), or leave it out)";

std::vector<std::string> warnings_of(const std::vector<std::string>& sets,
                                     const char* base = kBase) {
  ReadOptions options;
  options.sets = sets;
  const auto read = read_scenario_text(base, "odd.json", options);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&read)) {
    ADD_FAILURE() << format(errors->front());
    return {};
  }
  std::vector<std::string> told;
  for (const std::string& warning : std::get<ReadScenario>(read).warnings) {
    told.push_back(warning.substr(warning.find(": /") + 2));
  }
  return told;
}

TEST(Mistakes, AreToldWithPlaceAndReason) {
  const struct {
    std::vector<std::string> sets;
    std::vector<std::string> told;
  } rows[] = {
      {{}, {}},
      {{"/jobs/0/checkpoint/every=4d"},
       {"/jobs/0/checkpoint/every: no checkpoint is due while the job trains: it does so for 3d "
        "00:00:00 at most; save sooner, or leave \"checkpoint\" out"}},
      // Of a job without an end the horizon says how long it trains.
      {{"/jobs/0/checkpoint/every=11d", "/jobs/0/steps=null"},
       {"/jobs/0/checkpoint/every: no checkpoint is due while the job trains: it does so for 10d "
        "00:00:00 at most; save sooner, or leave \"checkpoint\" out"}},
      {{"/jobs/0/checkpoint/every=1s", "/jobs/0/checkpoint/blocking=1s",
        "/jobs/0/checkpoint/bytes=1GB"},
       {"/jobs/0/checkpoint/every: is shorter than a step of 10s: every step is saved; save less "
        "often, or say \"every_steps\": 1"}},
      {{"/jobs/0/checkpoint/every=10s", "/jobs/0/checkpoint/bytes=1GB"},
       {"/jobs/0/checkpoint/blocking: a save blocks training for as long as there is between two, "
        "10s, or longer; save less often, or block for less"}},
      {{"/jobs/0/checkpoint/bytes=40TB"},
       {"/jobs/0/checkpoint/bytes: an upload takes 01:06:40 by itself, and the next checkpoint is "
        "due after 00:30:00: each waits for the one before; save less often, or raise the "
        R"(storage's "write" or the pool's "nic", whichever is less)"}},
      {{R"(/jobs/0/phases={"launching": "6d", "warming_up": "5d"})"},
       {"/jobs/0/phases/warming_up: the job never trains: the simulation ends before the phases of "
        "its start up to this one do; shorten what takes so long, or raise \"until\""}},
      {{R"(/jobs/0/phases={"warming_up": "11d"})"},
       {"/jobs/0/phases/warming_up: the job never trains: the simulation ends before this phase of "
        "its start does; shorten what takes so long, or raise \"until\""}},
      {{"/jobs/0/collective_timeout=10d"},
       {"/jobs/0/collective_timeout: ends no collective: the simulation ends before it does, and "
        "only a policy that watches for hangs itself sees one; shorten it, or raise \"until\""}},
      {{"/jobs/0/collective_timeout=9d"}, {}},
      {{"/cluster/pools/0/provision=5min"},
       {R"(/cluster/pools/0/provision: has no effect without "replacement": "provision")"}},
      {{"/cluster/pools/0/provision=5min", "/cluster/pools/0/replacement=provision",
        "/cluster/pools/0/max_nodes=12"},
       {}},
      {{"/cluster/pools/0/max_nodes=30"},
       {R"(/cluster/pools/0/max_nodes: brings no node without "replacement": "provision" or "now", )"
        "and has the pool's random faults drawn anew, for places that stay empty"}},
      {{"/cluster/pools/0/max_nodes=30", "/cluster/pools/0/replacement=provision"}, {}},
      {{"/cluster/pools/0/replacement=now"},
       {R"(/cluster/pools/0/spares: stand by for nothing: with "replacement": "now" a lost node )"
        "has another in its place at once"}},
      {{R"(/cluster/pools/0/accelerators={"self_healing": {}})"},
       {"/cluster/pools/0/accelerators/self_healing: " + std::string(kEmptyHealing)}},
      {{R"(/cluster/pools/0/accelerators={"self_healing": {"user": {"fails": 1}, "hardware": {}}})"},
       {"/cluster/pools/0/accelerators/self_healing/hardware: " + std::string(kEmptyHealing)}},
      {{R"(/cluster/pools/0/accelerators={"self_healing": {"default": {"takes": "15s"}}})"}, {}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(warnings_of(row.sets), row.told);
  }
}

constexpr std::string_view kCollective =
    "the job's collective_timeout says after how long workers fail that wait for another one";
constexpr std::string_view kLauncher = "settings of torchrun are in the policy's config";
constexpr std::string_view kMindCluster = "settings of MindCluster are in the policy's config";
constexpr std::string_view kHccl =
    "of NPUs HCCL_EXEC_TIMEOUT is read, or the job's collective_timeout";
constexpr std::string_view kRay = "policies of Ray read it";
constexpr std::string_view kModelArts = "the policy modelarts reads it";

struct Variable {
  std::string policy;
  std::string name;
  std::string_view instead;  ///< the words behind "here: "; none: nothing is said
  std::string meant{};       ///< or what it names as meant
};

const std::vector<Variable>& vendor_variables() {
  static const std::vector<Variable> kRows{
      {"ray_train", "NCCL_TIMEOUT", kCollective},
      {"torchrun", "TORCH_NCCL_ASYNC_ERROR_HANDLING", kCollective},
      {"torchrun", "torch_nccl_blocking_wait", kCollective},
      {"ray_train", "TORCHELASTIC_MAX_RESTARTS", kLauncher},
      {"torchrun", "TORCHRUN_MAX_RESTARTS", kLauncher},
      {"mindcluster", "MINDX_TASK_ID", kMindCluster},
      {"modelarts", "MINDIO_FOR_MINDSPORE", kMindCluster},
      {"mindcluster", "HCCL_CONNECT_TIMEOUT", kHccl},
      {"ray_train", "hccl_exec_timeout", {}, "HCCL_EXEC_TIMEOUT"},
      {"torchrun", "TUNE_MAX_PENDING_TRIALS_PG", kRay},
      {"modelarts", "RAY_TRAIN_HEALTH_CHECK_INTERVL_S", kRay},
      {"kubeflow", "ray_train_v2_enabled", kRay},
      {"ray_train", "ray_train_v2_enabled", {}, "RAY_TRAIN_V2_ENABLED"},
      {"ray_train", "MA_HANG_DETECT_TIME", kModelArts},
      {"modelarts", "ma_hang_detect_time", {}, "MA_HANG_DETECT_TIME"},
      {"modelarts", "MA_HANG_DETECT_TIME", {}},
      {"ray_train", "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", {}},
  };
  return kRows;
}

std::string told_of(const Variable& row) {
  if (!row.meant.empty()) {
    return fmt::format("/jobs/0/env/{0}: nothing reads {0}; did you mean ", row.name);
  }
  return row.instead.empty()
             ? std::string()
             : fmt::format("/jobs/0/env/{0}: nothing reads {0} here: {1}", row.name, row.instead);
}

// The `env` of a real job, pasted as it is, has many variables; those that a vendor has and nothing
// reads are warned of.
TEST(Mistakes, VariablesOfVendorsThatNothingReadsAreWarnedOf) {
  for (const Variable& row : vendor_variables()) {
    SCOPED_TRACE(row.policy + " " + row.name);
    const std::vector<std::string> told =
        warnings_of({fmt::format(R"(/jobs/0/env={{"{}": "20", "PATH": "/bin"}})", row.name),
                     fmt::format(R"(/jobs/0/policy={{"name": "{}"}})", row.policy)});
    const std::string wanted = told_of(row);
    ASSERT_EQ(told.size(), wanted.empty() ? 0U : 1U);
    if (!wanted.empty()) {
      EXPECT_EQ(told.front(), row.meant.empty() ? wanted : wanted + row.meant + "?");
    }
  }
}

// One that an argument names was meant to change something.
TEST(Mistakes, AVariableThatAnArgumentNamesAndNothingReadsIsRefused) {
  const auto refusal = [](const Variable& row) {
    ReadOptions options;
    options.sets = {fmt::format(R"(/jobs/0/policy={{"name": "{}"}})", row.policy),
                    fmt::format(R"(/jobs/0/env/{}="20")", row.name)};
    const auto read = read_scenario_text(kBase, "odd.json", options);
    const auto* errors = std::get_if<std::vector<ScenarioError>>(&read);
    const std::string all = errors == nullptr ? std::string() : format(errors->front());
    return errors == nullptr ? all : all.substr(all.find(": /") + 2);
  };
  for (const Variable& row : vendor_variables()) {
    SCOPED_TRACE(row.policy + " " + row.name);
    const std::string wanted = told_of(row);
    EXPECT_EQ(refusal(row),
              row.meant.empty() ? wanted : fmt::format("{}\"{}\"?", wanted, row.meant));
  }
  const std::vector<Variable> others{
      {"torchrun", "FOO",
       "no variable: torchrun reads none; `aftershock policies show torchrun` has its settings"},
      {"modelarts", "HANG_DETECT_TIME",
       "one that modelarts reads, such as MA_FAILOVER_TERMINATION_GRACE_PERIOD_SECONDS; "
       "`aftershock policies show modelarts` has its settings",
       "MA_HANG_DETECT_TIME"},
  };
  for (const Variable& row : others) {
    SCOPED_TRACE(row.policy + " " + row.name);
    EXPECT_EQ(
        refusal(row),
        fmt::format("/jobs/0/env/{0}: nothing reads \"{0}\" here; expected {1}{2}", row.name,
                    row.instead,
                    row.meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", row.meant)));
  }
}

// Settings that act under some policies alone.
TEST(Mistakes, TellOfSettingsThatNoPolicyLooksAt) {
  const std::string job = R"(/jobs/0/policy={"name": "job"})";
  const std::string object = R"(/cluster/node_object={"removed_by": "nobody"})";
  const std::string crash =
      R"(/faults=[{"kind": "node_crash", "at": "1h", "target": "node:gpu-0",
                   "connections": "closed"}])";
  const std::string causes =
      R"(/faults=[{"source": {"exponential": {"mtbf": "264d", "per": "node"}}, "target": "pool:gpu",
                   "causes": [{"kind": "node_crash", "weight": 1},
                              {"kind": "node_crash", "weight": 1, "connections": "closed"}]}])";
  const std::string seen =
      "no job's policy is one under which ranks see by themselves that another has ended "
      "(torchrun, job, jobset, kubeflow, volcano)";
  const struct {
    std::vector<std::string> sets;
    std::vector<std::string> told;
  } rows[] = {
      {{object},
       {"/cluster/node_object: has no effect: no job's policy is one under which pods of a lost "
        "node stay as objects (job, jobset, kubeflow, volcano)"}},
      {{job, object}, {}},
      {{crash}, {"/faults/0/connections: has no effect: " + seen}},
      {{causes}, {"/faults/0/causes/1/connections: has no effect: " + seen}},
      {{job, crash}, {}},
      {{R"(/jobs/0/script={"steps_per": "attempt"})"}, {}},
      {{R"(/jobs/0/script={"steps_per": "attempt"})", "/jobs/0/steps=null"},
       {R"(/jobs/0/script/steps_per: has no effect: the job has no "steps" and trains until the )"
        "end"}},
      {{R"(/faults=[{"kind": "node_crash", "target": "pool:gpu", "source": {"occurrences": [
          {"nth": 0, "at": "1h"}, {"nth": 1, "at": "2h"}]}}])"},
       {"/faults/0/source/occurrences: none of them has a target, so each finds nobody, as "
        R"(exported faults without one did; give those that strike their "target")"}},
      {{R"(/faults=[{"kind": "node_crash", "target": "pool:gpu", "source": {"occurrences": [
          {"nth": 0, "at": "1h"}, {"nth": 1, "at": "2h", "target": "node:gpu-1"}]}}])"},
       {}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(warnings_of(row.sets), row.told) << row.sets.back();
  }
}

TEST(Mistakes, TellOfFaultsThatNoTrialFeels) {
  constexpr const char* kTrials = R"({"schema": 1, "name": "trials",
    "cluster": {"pools": [{"name": "gpu", "nodes": 2}, {"name": "other", "nodes": 1}],
                "storage": [{"name": "s3", "read": "20GB/s", "write": "10GB/s"},
                            {"name": "nfs", "read": "1GB/s", "write": "1GB/s"}]},
    "experiments": [{"name": "x", "pool": "gpu", "trials": 2, "steps": 3, "step": "1min",
                     "run": {"storage": "s3"}, "checkpoint": {"bytes": "1GB"},
                     "policy": {"name": "ray_tune"}}],
    "faults": [{"id": "f", "kind": "storage_outage", "target": "storage:s3", "at": "1min"}]})";
  const std::string no_bytes =
      "/faults/0/target: no trial feels it: none moves bytes to or from that storage; give the "
      "experiment's \"checkpoint\" its \"bytes\"";
  const std::string no_saves =
      "/faults/0/target: no trial feels it: none of that pool saves a checkpoint";
  const struct {
    std::vector<std::string> sets;
    std::vector<std::string> told;
  } rows[] = {
      {{}, {}},
      {{"/experiments/0/checkpoint/bytes=0B"}, {no_bytes}},
      {{"/faults/0/target=storage:nfs"}, {no_bytes}},
      {{"/faults/0/target=node:gpu-0", "/faults/0/kind=worker_storage_partition",
        "/faults/0/lasts=1min"},
       {}},
      {{"/faults/0/target=node:gpu-0", "/faults/0/kind=worker_storage_partition",
        "/faults/0/lasts=1min", "/experiments/0/checkpoint=null"},
       {no_bytes}},
      {{"/faults/0/target=node:gpu-0", "/faults/0/kind=full_disk"}, {}},
      {{"/faults/0/target=node:gpu-0", "/faults/0/kind=full_disk",
        "/experiments/0/checkpoint/bytes=0B"},
       {}},
      {{"/faults/0/target=node:other-0", "/faults/0/kind=full_disk"}, {no_saves}},
      {{"/faults/0/target=node:gpu-0", "/faults/0/kind=full_disk",
        "/experiments/0/script/saves=false"},
       {no_saves}},
      {{"/faults/0/target=node:gpu-0", "/faults/0/kind=host_oom"}, {}},
      {{"/faults/0/target=accelerator:gpu-0/0", "/faults/0/kind=false_alarm",
        "/faults/0/code=xid:63"},
       {"/faults/0/target: no trial feels it: policies of experiments do not hear of alarms"}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(warnings_of(row.sets, kTrials), row.told) << fmt::format("{}", row.sets.size());
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
