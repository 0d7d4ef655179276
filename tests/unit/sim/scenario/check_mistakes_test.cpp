#include "sim/scenario/check_mistakes.h"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read.h"

namespace aftershock::sim {
namespace {

// Three days of work within ten, saved every half hour to a storage that takes 50 s for it.
constexpr const char* kBase = R"({"schema": 1, "name": "odd", "until": "10d",
  "cluster": {"pools": [{"name": "gpu", "nodes": 8, "spares": 1}],
              "storage": [{"name": "s3", "read": "20GB/s", "write": "10GB/s"}]},
  "jobs": [{"name": "llm", "pool": "gpu", "workers": 64, "steps": 25920, "step": "10s",
            "checkpoint": {"every": "30min", "bytes": "500GB", "blocking": "10s",
                           "upload": "async"},
            "policy": {"name": "ray_train", "config": {"max_failures": 5}}}]})";

std::vector<std::string> warnings_of(const std::vector<std::string>& sets) {
  ReadOptions options;
  options.sets = sets;
  const auto read = read_scenario_text(kBase, "odd.json", options);
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
        "00:00:00 at most"}},
      // Of a job without an end the horizon says how long it trains.
      {{"/jobs/0/checkpoint/every=11d", "/jobs/0/steps=null"},
       {"/jobs/0/checkpoint/every: no checkpoint is due while the job trains: it does so for 10d "
        "00:00:00 at most"}},
      {{"/jobs/0/checkpoint/every=1s", "/jobs/0/checkpoint/blocking=1s",
        "/jobs/0/checkpoint/bytes=1GB"},
       {"/jobs/0/checkpoint/every: is shorter than a step of 10s: every step is saved"}},
      {{"/jobs/0/checkpoint/every=10s", "/jobs/0/checkpoint/bytes=1GB"},
       {"/jobs/0/checkpoint/blocking: a save blocks training for as long as there is between two, "
        "10s, or longer"}},
      {{"/jobs/0/checkpoint/bytes=40TB"},
       {"/jobs/0/checkpoint/bytes: an upload takes 01:06:40 by itself, and the next checkpoint is "
        "due after 00:30:00: each waits for the one before"}},
      {{R"(/jobs/0/phases={"launching": "6d", "warming_up": "5d"})"},
       {"/jobs/0/phases/warming_up: the job never trains: the simulation ends before the phases of "
        "its start up to this one do"}},
      {{R"(/jobs/0/env={"NCCL_TIMEOUT": "60", "PATH": "/bin", "TORCHELASTIC_MAX_RESTARTS": "1"})"},
       {"/jobs/0/env/NCCL_TIMEOUT: nothing reads NCCL_TIMEOUT here: the job's collective_timeout "
        "says after how long workers fail that wait for another one",
        "/jobs/0/env/TORCHELASTIC_MAX_RESTARTS: nothing reads TORCHELASTIC_MAX_RESTARTS here: "
        "settings of torchrun are in the policy's config"}},
      {{R"(/jobs/0/env={"ray_train_v2_enabled": "0", "MA_HANG_DETECT_TIME": "20"})"},
       {"/jobs/0/env/ray_train_v2_enabled: nothing reads ray_train_v2_enabled; did you mean "
        "RAY_TRAIN_V2_ENABLED?",
        "/jobs/0/env/MA_HANG_DETECT_TIME: nothing reads MA_HANG_DETECT_TIME here: the policy "
        "modelarts reads it"}},
      {{R"(/jobs/0/phases={"warming_up": "11d"})"},
       {"/jobs/0/phases/warming_up: the job never trains: the simulation ends before this phase of "
        "its start does"}},
      {{"/cluster/pools/0/provision=5min"},
       {R"(/cluster/pools/0/provision: has no effect without "replacement": "provision")"}},
      {{"/cluster/pools/0/provision=5min", "/cluster/pools/0/replacement=provision",
        "/cluster/pools/0/max_nodes=12"},
       {}},
      {{"/cluster/pools/0/replacement=now"},
       {R"(/cluster/pools/0/spares: stand by for nothing: with "replacement": "now" a lost node )"
        "has another in its place at once"}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(warnings_of(row.sets), row.told);
  }
}

}  // namespace
}  // namespace aftershock::sim
