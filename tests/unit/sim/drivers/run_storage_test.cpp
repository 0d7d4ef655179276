#include "sim/drivers/run_storage.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::drivers {
namespace {

using nlohmann::json;

TEST(Torn, OneSnapshotIsCutShort) {
  EXPECT_FALSE(json::accept(torn(R"({"latest":"checkpoint_000001","list":[1,2]})", "snapshot")));
}

// Tune's snapshot is beside what it wrote at the start, and either may be torn alone.
TEST(Torn, FilesOfTuneOneByOne) {
  const std::string whole = R"({"trainer":{},"tuner":{"a":1},"experiment_state":{"trials":[]}})";
  const json state = policies::json_from_text(torn(whole, "snapshot"));
  EXPECT_EQ(state["tuner"], policies::json_from_text(R"({"a":1})"));
  EXPECT_TRUE(state["experiment_state"].is_string());
  const json tuner = policies::json_from_text(torn(whole, "tuner.pkl"));
  EXPECT_TRUE(tuner["tuner"].is_string());
  EXPECT_TRUE(tuner["experiment_state"].is_object());
  EXPECT_FALSE(json::accept(torn(whole, "trainer.pkl")));
  EXPECT_FALSE(json::accept(torn(R"({"tuner":{},"experiment_state":{}})", "tuner.pkl")));
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

workload::Checkpoint checkpoint(std::uint32_t id, const std::string& trial) {
  workload::Checkpoint one;
  one.id = id;
  one.trial = trial;
  return one;
}

std::vector<std::uint32_t> ids(const StoredRun& run) {
  std::vector<std::uint32_t> found;
  for (const workload::Checkpoint& one : run.checkpoints) {
    found.push_back(one.id);
  }
  return found;
}

TEST(StoredRun, HasTheNewestCheckpointsOfEachTrial) {
  StoredRun run;
  EXPECT_FALSE(run.refused_to(""));
  run.replace("a", {checkpoint(1, "a"), checkpoint(2, "a")});
  run.replace("b", {checkpoint(7, "b")});
  run.replace("a", {checkpoint(2, "a"), checkpoint(3, "a")});
  EXPECT_EQ(ids(run), (std::vector<std::uint32_t>{7, 2, 3}));
  EXPECT_FALSE(run.refused_to("c"));
  EXPECT_TRUE(run.refused_to(""));
}

TEST(StoredRun, OfAJobWithoutTrialsHasItsNewestCheckpoints) {
  StoredRun run;
  run.replace("", {checkpoint(1, ""), checkpoint(2, "")});
  EXPECT_FALSE(run.refused_to(""));
  run.replace("", {checkpoint(3, "")});
  EXPECT_EQ(ids(run), std::vector<std::uint32_t>{3});
}

TEST(RunStorage, KeepsWhatAnybodyStored) {
  RunStorage storage;
  EXPECT_EQ(storage.find("k"), nullptr);
  storage.at("k").durable = R"({"latest":"checkpoint_000001"})";
  storage.tear("k", "snapshot");
  ASSERT_NE(storage.find("k"), nullptr);
  EXPECT_EQ(storage.find("k")->torn, "snapshot");
  EXPECT_FALSE(json::accept(storage.find("k")->durable));
  storage.leave_behind("k", "t", {{.checkpoint = 5}});
  ASSERT_EQ(storage.find("k")->leftovers.size(), 1U);
  EXPECT_EQ(storage.find("k")->leftovers[0].trial, "t");
  storage.lose_state("k");
  EXPECT_EQ(storage.find("k")->durable, "");
  EXPECT_EQ(storage.find("k")->leftovers.size(), 1U);
}

TEST(RunStorage, HasNothingOfARunThatNobodyStored) {
  RunStorage storage;
  storage.tear("k", "snapshot");
  storage.lose_state("k");
  storage.leave_behind("k", "t", {{.checkpoint = 5}});
  EXPECT_EQ(storage.find("k"), nullptr);
}

}  // namespace
}  // namespace aftershock::sim::drivers
