#include "sim/results/stored_files.h"

#include <memory>
#include <variant>

#include <gtest/gtest.h>

#include "reports/render/storage_tree.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

// Files that runs leave in storage, drawn by hand after ray.md 3.4 and the overview of a
// V1 run's output in Ray's guide to persistent storage.
namespace aftershock::sim::results {
namespace {

std::string tree_of(std::string_view patch) {
  auto read = scenario::read_scenario_text(world::scenario_text(patch), "test.json");
  if (!std::holds_alternative<scenario::ReadScenario>(read)) {
    return "the scenario cannot be read";
  }
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(read).scenario));
  simulate::SimulateOptions options;
  options.storage_tree = true;
  reports::Style style;
  style.unicode = false;
  return reports::storage_tree(simulate::simulate(scenario, options).storage, style);
}

TEST(StoredFiles, OfAnExperiment) {
  EXPECT_EQ(tree_of(R"({"experiments": [{"trials": 2, "steps": 2,
              "run": {"storage_path": "/nfs/", "name": "search"},
              "policy": {"config": {"trainable": "train_fn", "num_to_keep": 1}}}]})"),
            R"(/nfs/search/
|-- experiment_state-0001.json  (the newest name is what a restore reads)
|-- basic-variant-state-0001.json
|-- tuner.pkl  (written once)
|-- train_fn_00001_00000/  (TERMINATED)
|   |-- events.out.tfevents
|   |-- result.json
|   `-- checkpoint_000001/  (iteration 2, the latest)
`-- train_fn_00001_00001/  (TERMINATED)
    |-- events.out.tfevents
    |-- result.json
    `-- checkpoint_000001/  (iteration 2, the latest)
<session_latest>/artifacts/<timestamp>/search/
|-- driver_artifacts/  (staged, then stored)
`-- working_dirs/  (not stored)
)");
}

constexpr const char* kHeadAgain =
    R"("cluster": {"heads": [{"name": "h", "restart": {"after": "50s"}}]},)";

// The only snapshot is that of the start, with one trial. The head is lost at 35 s, when the second
// one has one iteration: the restored experiment makes it again under another id, and does the
// first one again, of which it knows no checkpoint.
TEST(StoredFiles, OfATrialThatNoSnapshotKnew) {
  EXPECT_EQ(tree_of(std::string("{") + kHeadAgain + R"("experiments": [{"trials": 2, "steps": 2,
              "run": {"storage_path": "/nfs", "name": "search"},
              "env": {"TUNE_GLOBAL_CHECKPOINT_S": "3600"},
              "policy": {"config": {"max_concurrent_trials": 1, "restore": true}}}],
              "faults": [{"kind": "head_crash", "target": "head:h", "at": "35s"}]})"),
            R"(/nfs/search/
|-- experiment_state-0001.json
|-- basic-variant-state-0001.json
|-- experiment_state-0002.json  (the newest name is what a restore reads)
|-- basic-variant-state-0002.json
|-- tuner.pkl  (written once)
|-- trainable_00001_00000/  (TERMINATED)
|   |-- events.out.tfevents
|   |-- result.json
|   |-- checkpoint_000000/  (iteration 1)
|   |-- checkpoint_000001/  (iteration 2)
|   |-- checkpoint_000002/  (iteration 1)
|   `-- checkpoint_000003/  (iteration 2, the latest)
|-- trainable_00001_00001/  (the newest driver does not know it)
|   |-- events.out.tfevents
|   |-- result.json
|   `-- checkpoint_000000/  (iteration 1)
`-- trainable_00002_00001/  (TERMINATED)
    |-- events.out.tfevents
    |-- result.json
    |-- checkpoint_000000/  (iteration 1)
    `-- checkpoint_000001/  (iteration 2, the latest)
<session_latest>/artifacts/<timestamp>/search/
|-- driver_artifacts/  (staged, then stored)
`-- working_dirs/  (not stored)
)");
}

// A fit() under the old name: another trial beside the old one. The old one has one iteration at
// 15 s; the new ones are those of session 2.
TEST(StoredFiles, OfASecondFitUnderTheSameName) {
  EXPECT_EQ(tree_of(std::string("{") + kHeadAgain + R"("experiments": [{"trials": 1, "steps": 2,
              "run": {"storage_path": "/nfs", "name": "search"}}],
              "faults": [{"kind": "head_crash", "target": "head:h", "at": "15s"}]})"),
            R"(/nfs/search/
|-- experiment_state-0001.json
|-- basic-variant-state-0001.json
|-- experiment_state-0002.json  (the newest name is what a restore reads)
|-- basic-variant-state-0002.json
|-- tuner.pkl  (written once)
|-- trainable_00001_00000/  (the newest driver does not know it)
|   |-- events.out.tfevents
|   |-- result.json
|   `-- checkpoint_000000/  (iteration 1)
`-- trainable_00002_00000/  (TERMINATED)
    |-- events.out.tfevents
    |-- result.json
    |-- checkpoint_000000/  (iteration 1)
    `-- checkpoint_000001/  (iteration 2, the latest)
<session_latest>/artifacts/<timestamp>/search/
|-- driver_artifacts/  (staged, then stored)
`-- working_dirs/  (not stored)
)");
}

constexpr const char* kV1Job =
    R"("workers": 4, "steps": 20, "checkpoint": {"every": "100s"},
       "policy": {"name": "ray_train_v1", "config": )";

// One directory, however many jobs wrote to it: the second goes on with the trial of the first,
// which has done all, and adds a session.
TEST(StoredFiles, OfARestoredV1Run) {
  const std::string run = R"("run": {"storage_path": "s3://b", "name": "v1"},)";
  EXPECT_EQ(tree_of("{\"jobs\": [{\"name\": \"a\"," + run + kV1Job + "{}}}," +
                    "{\"name\": \"b\", \"submit\": \"1h\"," + run + kV1Job +
                    "{\"restore\": {\"when\": \"always\"}}}}]}"),
            R"(s3://b/v1/
|-- experiment_state-0001.json
|-- basic-variant-state-0001.json
|-- experiment_state-0002.json  (the newest name is what a restore reads)
|-- basic-variant-state-0002.json
|-- trainer.pkl  (written once)
|-- tuner.pkl  (written once)
`-- TorchTrainer_00001_00000/  (the trial's directory)
    |-- events.out.tfevents
    |-- result.json
    |-- checkpoint_000000/  (step 10)
    `-- checkpoint_000001/  (step 20, the latest)
<session_latest>/artifacts/<timestamp>/v1/
|-- driver_artifacts/  (staged, then stored)
`-- working_dirs/  (not stored)
)");
}

// The head is lost at 150 s, one checkpoint later; the next driver has another name, and counts its
// checkpoints from zero.
TEST(StoredFiles, OfV1RunsWithFreshNames) {
  EXPECT_EQ(
      tree_of(std::string("{") + kHeadAgain +
              R"("job": {"run": {"storage_path": "s3://b", "name": "v1-{uuid}"},)" + kV1Job +
              R"({}}}, "faults": [{"kind": "head_crash", "target": "head:h", "at": "150s"}]})"),
      R"(s3://b/v1-00000001/
|-- experiment_state-0001.json  (the newest name is what a restore reads)
|-- basic-variant-state-0001.json
|-- trainer.pkl  (written once)
|-- tuner.pkl  (written once)
`-- TorchTrainer_00001_00000/  (the trial's directory)
    |-- events.out.tfevents
    |-- result.json
    `-- checkpoint_000000/  (step 10)
s3://b/v1-00000002/
|-- experiment_state-0001.json  (the newest name is what a restore reads)
|-- basic-variant-state-0001.json
|-- trainer.pkl  (written once)
|-- tuner.pkl  (written once)
`-- TorchTrainer_00001_00000/  (the trial's directory)
    |-- events.out.tfevents
    |-- result.json
    |-- checkpoint_000000/  (step 10)
    `-- checkpoint_000001/  (step 20, the latest)
<session_latest>/artifacts/<timestamp>/v1-00000002/
|-- driver_artifacts/  (staged, then stored)
`-- working_dirs/  (not stored)
)");
}

// Train V2's directories have the date at which the ranks reported, whose name its Result says too:
// work to 100 s, 5 s of standing still, and the same once more.
TEST(StoredFiles, OfATrainV2Run) {
  const std::string patch = R"({"job": {"steps": 20,
              "checkpoint": {"every": "100s", "blocking": "5s"},
              "run": {"storage_path": "s3://b", "name": "v2"}}})";
  EXPECT_EQ(tree_of(patch),
            R"(s3://b/v2/
|-- .validate_storage_marker
|-- checkpoint_manager_snapshot.json  (the run's state)
|-- checkpoint_1970-01-01_00-01-45.000000/  (step 10)
`-- checkpoint_1970-01-01_00-03-30.000000/  (step 20, the latest)
<session_latest>/artifacts/v2/
`-- working_dirs/  (not stored)
)");
  EXPECT_EQ(world::simulated(patch).job()["result"]["checkpoint"],
            "checkpoint_1970-01-01_00-03-30.000000");
}

// The Result of a V1 run names a directory of its tree.
TEST(StoredFiles, OfTheResultOfAV1Run) {
  EXPECT_EQ(world::simulated(std::string("{\"jobs\": [{\"name\": \"a\",") + kV1Job + "{}}}]}")
                .job()["result"]["checkpoint"],
            "checkpoint_000001");
}

}  // namespace
}  // namespace aftershock::sim::results
