#include "sim/advise/job_model.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::advise {
namespace {

scenario::Scenario to_model(const std::string& path, const std::vector<std::string>& sets = {}) {
  scenario::ReadOptions options;
  options.sets = sets;
  auto result = scenario::read_scenario_file(path, options);
  return std::get<scenario::ReadScenario>(std::move(result)).scenario;
}

constexpr const char* kDalysJob = "scenarios/reference_54_days.json";

TEST(JobModel, TheReferenceWorkloadInDalysWords) {
  const auto model = job_model(to_model(kDalysJob));
  ASSERT_TRUE(model);
  // 419 failures in 54 days; what else is from the file's notes.
  EXPECT_NEAR(model->restart.mtbf, 54 * 86'400 / 419.0, 1e-6);
  EXPECT_EQ(model->restart.interval, 1800);
  EXPECT_EQ(model->restart.blocking, 30);
  EXPECT_EQ(model->restart.restart, 600);
  EXPECT_EQ(model->restart.downtime, 60);
  EXPECT_FALSE(model->waits);
  // O4 by hand: 1800 / (exp(600/M) (M + 60) (exp(1830/M) - 1)), M = 11135.083532219570 s.
  EXPECT_NEAR(formula_ettr(*model), 0.852924023, 1e-9);
}

TEST(JobModel, IntervalsAreWholeSteps) {
  // A save begins at the first end of a step at or after the interval: 1000 s are 167 steps of 6 s.
  const auto by_time = job_model(to_model(kDalysJob, {"/jobs/0/checkpoint/every=1000s"}));
  EXPECT_EQ(by_time->restart.interval, 1002);
  const auto by_steps = job_model(
      to_model(kDalysJob, {"/jobs/0/checkpoint/every=null", "/jobs/0/checkpoint/every_steps=50"}));
  EXPECT_EQ(by_steps->restart.interval, 300);
}

TEST(JobModel, SparesByRepair) {
  const auto model =
      job_model(to_model(kDalysJob, {"/cluster/pools/0/replacement=none",
                                     "/cluster/pools/0/repair=1d", "/cluster/pools/0/spares=16"}));
  // O8: 419/54 failures a day and a day of repair, with 16 spares P is 0.001609055778.
  EXPECT_NEAR(model->in_repair, 419.0 / 54, 1e-9);
  EXPECT_EQ(model->spares, 16);
  EXPECT_TRUE(model->waits);
  JobModel without = *model;
  without.waits = false;
  EXPECT_NEAR(1 - formula_ettr(*model) / formula_ettr(without), 0.001609055778, 1e-12);
}

TEST(JobModel, NoFailuresNoRestarts) {
  const auto model = job_model(to_model(kDalysJob, {"/faults=[]"}));
  EXPECT_TRUE(std::isinf(model->restart.mtbf));
  EXPECT_DOUBLE_EQ(formula_ettr(*model), 1800.0 / 1830);
}

TEST(JobModel, UploadsAreBlockingOrLostOnceMore) {
  const std::vector<std::string> sets{
      R"(/cluster/storage=[{"name": "s3", "read": "20GB/s", "write": "10GB/s"}])",
      "/jobs/0/checkpoint/bytes=600GB"};
  const auto blocking = job_model(to_model(kDalysJob, sets));
  EXPECT_EQ(blocking->restart.blocking, 30 + 60);
  EXPECT_EQ(blocking->restart.restart, 600 + 30);
  std::vector<std::string> async = sets;
  async.emplace_back("/jobs/0/checkpoint/upload=async");
  const auto behind = job_model(to_model(kDalysJob, async));
  EXPECT_EQ(behind->restart.blocking, 30);
  EXPECT_EQ(behind->restart.restart, 600 + 30 + 60);
  EXPECT_EQ(behind->upload, 60);
}

TEST(JobModel, MeansOfLaws) {
  const auto law = [](auto shape) { return scenario::Distribution{shape, {}, {}}; };
  EXPECT_EQ(mean_seconds(scenario::Distribution::constant(90'000'000)), 90);
  EXPECT_EQ(mean_seconds(law(scenario::Distribution::Uniform{30'000'000, 60'000'000})), 45);
  EXPECT_EQ(mean_seconds(law(scenario::Distribution::Exponential{5'000'000})), 5);
  EXPECT_EQ(mean_seconds(law(scenario::Distribution::Gamma{2'000'000, 3})), 6);
  EXPECT_EQ(mean_seconds(law(scenario::Distribution::Empirical{{1'000'000, 3'000'000}})), 2);
  // Weibull of shape 1 is exponential; of shape 2 its mean is scale sqrt(pi)/2.
  EXPECT_NEAR(mean_seconds(law(scenario::Distribution::Weibull{2e6, 1})), 2, 1e-12);
  EXPECT_NEAR(mean_seconds(law(scenario::Distribution::Weibull{2e6, 2})),
              std::sqrt(std::acos(-1.0)), 1e-12);
  // InfiniteHBD (reliability.md 5): median 20.39 h, mean 132.8 h: sigma^2 = 2 ln(132.8 / 20.39).
  EXPECT_NEAR(mean_seconds(law(scenario::Distribution::Lognormal{
                  20.39 * 3600e6, std::sqrt(2 * std::log(132.8 / 20.39))})),
              132.8 * 3600, 1e-6);
}

TEST(JobModel, LimitsAreNamed) {
  const auto words = [](const std::vector<std::string>& sets) {
    const scenario::Scenario scenario = to_model(kDalysJob, sets);
    std::string all;
    for (const std::string& limit : model_limits(scenario, *job_model(scenario))) all += limit;
    return all;
  };
  EXPECT_EQ(words({}), "");
  EXPECT_NE(words({"/faults/0/source/clock=training"}).find("Exposure clock"), std::string::npos);
  EXPECT_NE(words({R"(/faults/-={"kind": "node_crash", "target": "node:gpu-0", "at": "1h"})"})
                .find("Scripted faults: 1"),
            std::string::npos);
  EXPECT_NE(words({"/cluster/pools/0/replacement=none", "/cluster/pools/0/repair=1d",
                   "/cluster/repair_crew=2"})
                .find("Repair crew: 2"),
            std::string::npos);
  for (const char* script :
       {"/jobs/0/script/steps_per=attempt", "/jobs/0/script/on_notice=returns"}) {
    EXPECT_NE(words({script}).find("Script:"), std::string::npos) << script;
  }
  EXPECT_NE(words({"/jobs/0/detection/fixed=10min"}).find("Masked failures"), std::string::npos);
  EXPECT_NE(words({"/jobs/0/checkpoint/every=6h"}).find("Interval"), std::string::npos);
  EXPECT_NE(
      words({"/cluster/pools/0/replacement=none", "/cluster/pools/0/repair=1d"}).find("Repairs"),
      std::string::npos);
}

TEST(JobModel, NothingButOneJobThatSaves) {
  EXPECT_FALSE(job_model(to_model("scenarios/tune/spot_savings.json")));
  EXPECT_FALSE(job_model(to_model(kDalysJob, {"/jobs/0/checkpoint=null"})));
}

}  // namespace
}  // namespace aftershock::sim::advise
