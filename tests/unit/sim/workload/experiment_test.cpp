#include "sim/workload/experiment.h"

#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/workload/run_storage.h"

namespace aftershock::sim::workload {
namespace {

constexpr std::uint32_t kPerNode = 8;

Experiment shaped(std::int64_t accelerators_e4) {
  scenario::ClusterSpec cluster;
  scenario::PoolSpec& pool = cluster.pools.emplace_back();
  pool.max_nodes = 4;
  pool.accelerators_per_node = kPerNode;
  scenario::ExperimentSpec spec;
  spec.accelerators_e4 = accelerators_e4;
  Experiment experiment;
  shape_trials(experiment, spec, cluster);
  return experiment;
}

struct Shape {
  std::int64_t accelerators_e4;
  std::uint32_t nodes_per_trial;
  std::uint32_t trials_per_node;
};

class TrialShape : public testing::TestWithParam<Shape> {};

TEST_P(TrialShape, FollowsFromWhatATrialTakes) {
  const Shape& shape = GetParam();
  const Experiment experiment = shaped(shape.accelerators_e4);
  EXPECT_EQ(experiment.nodes_per_trial, shape.nodes_per_trial);
  EXPECT_EQ(experiment.trials_per_node, shape.trials_per_node);
}

INSTANTIATE_TEST_SUITE_P(Resources, TrialShape,
                         testing::Values(Shape{10'000, 0, 8}, Shape{5'000, 0, 16},
                                         Shape{3'000, 0, 24}, Shape{9'999, 0, 8},
                                         Shape{30'000, 0, 2}, Shape{50'000, 0, 1},
                                         Shape{80'000, 1, 1}, Shape{240'000, 3, 1}));

TEST(TrialSlots, OfHalvesSharePairwise) {
  const Experiment experiment = shaped(5'000);
  EXPECT_EQ(first_accelerator(experiment, 0), 0U);
  EXPECT_EQ(first_accelerator(experiment, 1), 0U);
  EXPECT_EQ(first_accelerator(experiment, 15), 7U);
  EXPECT_EQ(slots_using(experiment, 7), (std::pair<std::uint32_t, std::uint32_t>{14, 16}));
}

TEST(TrialSlots, OfThreesLeaveTwoAcceleratorsOver) {
  const Experiment experiment = shaped(30'000);
  EXPECT_EQ(first_accelerator(experiment, 1), 3U);
  EXPECT_EQ(slots_using(experiment, 2), (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
  EXPECT_EQ(slots_using(experiment, 5), (std::pair<std::uint32_t, std::uint32_t>{1, 2}));
  const auto [first, end] = slots_using(experiment, 6);
  EXPECT_EQ(first, end);
}

TEST(TrialSlots, OfAWholeNodeUseAllOfIt) {
  const Experiment experiment = shaped(160'000);
  EXPECT_EQ(slots_using(experiment, 7), (std::pair<std::uint32_t, std::uint32_t>{0, 1}));
}

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
