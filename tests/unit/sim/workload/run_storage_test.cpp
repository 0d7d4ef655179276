#include "sim/workload/run_storage.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::workload {
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

}  // namespace
}  // namespace aftershock::sim::workload
