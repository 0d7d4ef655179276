#include "sim/workload/experiment.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/workload/run_storage.h"

namespace aftershock::sim::workload {
namespace {

TEST(StoredTrial, FindsAndForgetsCheckpoints) {
  StoredTrial trial;
  EXPECT_EQ(trial.newest_of(0), nullptr);
  for (std::uint32_t id = 1; id <= 3; ++id) {
    trial.checkpoints.push_back({.id = id, .steps = id * 10, .writer = id == 3 ? 1U : 0U});
  }
  trial.remove(2);
  trial.remove(9);
  EXPECT_EQ(trial.find(2), nullptr);
  EXPECT_EQ(trial.find(3)->steps, 30);
  EXPECT_EQ(trial.newest_of(0)->id, 1U);
  EXPECT_EQ(trial.newest_of(1)->id, 3U);
}

TEST(RunKey, TellsRunsApart) {
  scenario::RunSpec run;
  run.storage = 0;
  run.storage_path = "s3://a";
  run.name = "one";
  const auto run_key = [](const scenario::RunSpec& spec, std::uint32_t holder,
                          std::uint32_t driver = 1) {
    return sim::workload::run_key(spec, holder, driver, "ray_tune");
  };
  EXPECT_EQ(run_key(run, 1), run_key(run, 2));
  EXPECT_EQ(run_key(run, 1), run_key(run, 1, 2));
  EXPECT_EQ(run_key(run, 1), sim::workload::run_key(run, 1, 1, "ray_train_v1"));
  EXPECT_NE(run_key(run, 1), sim::workload::run_key(run, 1, 1, "ray_train"));
  scenario::RunSpec other = run;
  other.storage_path = "s3://b";
  EXPECT_NE(run_key(run, 1), run_key(other, 1));
  other = run;
  other.storage = 1;
  EXPECT_NE(run_key(run, 1), run_key(other, 1));
  other = run;
  other.name.clear();
  EXPECT_NE(run_key(other, 1), run_key(other, 2));
  EXPECT_EQ(run_key(other, 1), run_key(other, 1, 2));
  other.name = "a-{uuid}";
  EXPECT_NE(run_key(other, 1), run_key(other, 1, 2));
}

TEST(RunPath, IsAsPeopleWriteIt) {
  scenario::RunSpec run;
  run.storage_path = "s3://a/";
  EXPECT_EQ(run_path(run, 0, 1), "");
  run.name = "one";
  EXPECT_EQ(run_path(run, 0, 1), "s3://a/one");
  run.name = "b-{uuid}-c";
  EXPECT_EQ(run_path(run, 3, 2), "s3://a/b-00030002-c");
}

TEST(SessionOf, IsThatOfTheNewestSnapshot) {
  using nlohmann::json;
  EXPECT_EQ(session_of(policies::json_from_text(R"({"experiment_state": {"session": 3}})")), 3U);
  EXPECT_EQ(session_of(policies::json_from_text(R"({"experiment_state": "torn"})")), std::nullopt);
  EXPECT_EQ(session_of(policies::json_from_text(R"({"experiment_state": {"session": "3"}})")),
            std::nullopt);
  EXPECT_EQ(session_of(policies::json_from_text(R"({"tuner": {}})")), std::nullopt);
  EXPECT_EQ(session_of(json()), std::nullopt);
}

TEST(ExperimentDeathTest, ATrialHasANumberInItsOwnExperiment) {
  Experiment experiment;
  experiment.trials.resize(2);
  const Trial other;
  EXPECT_EQ(number_of(experiment, experiment.trials[1]), 1U);
  EXPECT_DEATH(number_of(experiment, other), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::workload
