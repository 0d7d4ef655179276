#include "sim/drivers/driver_runs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::drivers {
namespace {

TEST(SessionOf, IsThatOfTheNewestSnapshot) {
  using nlohmann::json;
  EXPECT_EQ(session_of(policies::json_from_text(R"({"experiment_state": {"session": 3}})")), 3U);
  EXPECT_EQ(session_of(policies::json_from_text(R"({"experiment_state": "torn"})")), std::nullopt);
  EXPECT_EQ(session_of(policies::json_from_text(R"({"experiment_state": {"session": "3"}})")),
            std::nullopt);
  EXPECT_EQ(session_of(policies::json_from_text(R"({"tuner": {}})")), std::nullopt);
  EXPECT_EQ(session_of(json()), std::nullopt);
}

TEST(LeavesSession, OnlyOneOfItsOwn) {
  const auto of = [](unsigned session) {
    return nlohmann::json{{"experiment_state", {{"session", session}}}};
  };
  DriverRun run;
  EXPECT_TRUE(leaves_session(run, of(1)));
  EXPECT_FALSE(leaves_session(run, nlohmann::json()));
  run.found_session = 1;
  EXPECT_FALSE(leaves_session(run, of(1)));
  EXPECT_TRUE(leaves_session(run, of(2)));
}

TEST(DriverRuns, AreNumberedAsTheyBegin) {
  DriverRuns runs;
  EXPECT_EQ(runs.begin({.job = 4, .run = {}, .key = {}}), 0U);
  EXPECT_EQ(runs.begin({.job = 2, .run = {}, .key = {}, .started_us = 5}), 1U);
  EXPECT_EQ(runs[0].job, 4U);
  runs.finish(0, 9, 7);
  runs.finish(1, 5, std::nullopt);
  EXPECT_EQ(runs[0].ended_us, 9);
  EXPECT_EQ(runs[0].ended_by, 7U);
  EXPECT_EQ(runs[1].ended_us, 5);
  EXPECT_EQ(runs[1].ended_by, std::nullopt);
  EXPECT_EQ(runs.all().size(), 2U);
}

TEST(DriverRunsDeathTest, EachEndsOnce) {
  DriverRuns runs;
  EXPECT_DEATH(runs.finish(0, 1, std::nullopt), "assertion failed");
  runs.begin({.run = {}, .key = {}, .started_us = 3});
  EXPECT_DEATH(runs.finish(0, 2, std::nullopt), "assertion failed");
  runs.finish(0, 3, std::nullopt);
  EXPECT_DEATH(runs.finish(0, 4, std::nullopt), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::drivers
