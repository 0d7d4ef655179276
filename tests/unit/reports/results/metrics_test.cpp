#include "reports/results/metrics.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/results/run_row.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;

TEST(Metrics, AreTakenFromTheSummary) {
  RunSummary summary;
  summary.simulated_us = 500;
  JobSummary job;
  job.outcome = "failed";
  job.reason = "gave_up(modelarts.unconditional.limit)";
  job.wall_us = 200;
  job.at_end = EndState::kFailed;
  job.useful = {.us = 150, .steps = 3, .accelerator_us = 3'600'000'000, .of_us = 500};
  job.ledger_us[static_cast<std::size_t>(Bucket::kProductive)] = 150;
  job.ledger_us[static_cast<std::size_t>(Bucket::kRestoring)] = 50;
  job.attempts = 3;
  Recovery recovery;
  recovery.detected_us = 10;
  recovery.running_us = 30;
  job.recoveries = {recovery, Recovery{}};
  BudgetSummary budget;
  budget.used = 4;
  budget.exhausted = true;
  job.budgets = {{"max_failures", budget}};
  JobSummary other = job;
  other.outcome = "completed";
  other.reason = "completed";
  other.at_end = EndState::kCompleted;
  other.wall_us = 100;
  other.useful.of_us = 100;
  other.finish_us = 120;
  summary.jobs = {job, other};
  summary.faults["hang"] = {5, 4, 1, 3};
  const auto values = metric_values(summary);
  const auto value = [&](std::string_view name) { return number_of(values[*metric_named(name)]); };
  EXPECT_EQ(value("ettr"), 0.75);
  EXPECT_EQ(value("wall_us"), 400);
  EXPECT_EQ(value("completed"), 0);
  EXPECT_EQ(value("alive"), 0);
  EXPECT_EQ(value("failed"), 1);
  EXPECT_EQ(value("stuck"), 0);
  EXPECT_EQ(value("useful_share"), 0.5);
  EXPECT_EQ(value("useful_us"), 300);
  EXPECT_EQ(value("useful_accelerator_us"), 7'200'000'000);
  EXPECT_EQ(value("useful_steps"), 6);
  EXPECT_EQ(value("finish_us"), std::nullopt) << "not all of them completed";
  EXPECT_EQ(value("exhausted"), 1);
  EXPECT_EQ(value("exhausted_us"), 200);
  EXPECT_EQ(value("recovery_us"), 20);
  EXPECT_EQ(value("recoveries"), 4);
  EXPECT_EQ(value("charges"), 8);
  EXPECT_EQ(value("faults_fired"), 4);
  EXPECT_EQ(value("restoring_us"), 100);
  EXPECT_EQ(value("cost"), std::nullopt);
  EXPECT_EQ(value("cost_per_useful_hour"), std::nullopt);
  const std::vector<std::string> pointers{"/jobs/0/attempts", "/jobs/9", "/scenario",
                                          "/jobs/0/budgets/max_failures/exhausted"};
  const auto more = values_at(summary, pointers);
  EXPECT_EQ(number_of(more[0]), 3);
  EXPECT_EQ(number_of(more[1]), std::nullopt);
  EXPECT_EQ(number_of(more[2]), std::nullopt);
  EXPECT_EQ(number_of(more[3]), 1);
}

TEST(Metrics, SayWhoLivesAndWhenTheLastOneCompletes) {
  struct Row {
    const char* why;
    std::vector<EndState> jobs;
    std::vector<Violation> violations;
    std::array<double, 4> told;  // completed, alive, failed, stuck
    std::optional<double> finish_us;
  };
  using enum EndState;
  const Row rows[] = {
      {"all complete", {kCompleted, kCompleted}, {}, {1, 1, 0, 0}, 20},
      {"one goes on", {kCompleted, kTraining}, {}, {0, 1, 0, 0}, {}},
      {"one may go on", {kRecovering, kWaiting}, {}, {0, 1, 0, 0}, {}},
      {"one fails", {kCompleted, kFailed}, {}, {0, 0, 1, 0}, {}},
      {"one is aborted", {kAborted}, {}, {0, 0, 1, 0}, {}},
      {"one waits in vain", {kStuck, kTraining}, {}, {0, 0, 0, 1}, {}},
      {"one of each", {kStuck, kFailed}, {}, {0, 0, 1, 1}, {}},
      {"nobody knows why it stood still", {kTraining}, {{"L01", "", 1}}, {0, 0, 0, 1}, {}},
      {"an invariant of safety is about no standstill",
       {kTraining},
       {{"S01", "", 1}},
       {0, 1, 0, 0},
       {}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.why);
    RunSummary summary;
    summary.violations = row.violations;
    for (const EndState at_end : row.jobs) {
      JobSummary job;
      job.outcome = at_end == kCompleted || at_end == kFailed || at_end == kAborted
                        ? std::string(name_of(at_end))
                        : "running";
      job.at_end = at_end;
      if (at_end == kCompleted) {
        job.finish_us = 10 * (1 + std::ssize(summary.jobs));
      }
      summary.jobs.push_back(job);
    }
    const auto values = metric_values(summary);
    const auto value = [&](std::string_view name) {
      return number_of(values[*metric_named(name)]);
    };
    EXPECT_EQ(value("completed"), row.told[0]);
    EXPECT_EQ(value("alive"), row.told[1]);
    EXPECT_EQ(value("failed"), row.told[2]);
    EXPECT_EQ(value("stuck"), row.told[3]);
    EXPECT_EQ(value("finish_us"), row.finish_us);
  }
}

TEST(Metrics, AUsefulHourHasAPriceWhereThereIsOne) {
  constexpr std::int64_t kHourUs = 3'600'000'000;
  struct Row {
    std::optional<double> cost;
    std::int64_t useful_accelerator_us;
    std::optional<double> price;
  };
  for (const Row& row : {Row{12.0, 8 * kHourUs, 1.5}, Row{12.0, kHourUs / 2, 24.0},
                         Row{12.0, 0, std::nullopt}, Row{std::nullopt, kHourUs, std::nullopt}}) {
    RunSummary summary;
    summary.cost = row.cost;
    summary.jobs.resize(2);
    summary.jobs[1].useful.accelerator_us = row.useful_accelerator_us;
    EXPECT_EQ(number_of(metric_values(summary)[*metric_named("cost_per_useful_hour")]), row.price);
  }
}

std::vector<std::string_view> metrics_that(bool (*are)(std::string_view)) {
  std::vector<std::string_view> names = metric_names();
  std::erase_if(names, [are](std::string_view name) { return !are(name); });
  return names;
}

// Of all metrics in their order, so that a new one has to be put on one side or the other.
TEST(Metrics, ThatAreSharesAreFromNoneToAll) {
  EXPECT_EQ(metrics_that(is_share),
            (std::vector<std::string_view>{"completed", "alive", "failed", "stuck", "useful_share",
                                           "ettr", "exhausted"}));
  for (const char* pointer :
       {"/jobs/0/ettr", "/jobs/12/useful_share", "/experiments/0/useful_share"}) {
    EXPECT_TRUE(is_share(pointer)) << pointer;
  }
  for (const char* other :
       {"", "/jobs/0/useful_us", "/jobs/0/lost/us", "/ettr/steps", "a_ettr", "productive"}) {
    EXPECT_FALSE(is_share(other)) << other;
  }
}

TEST(Metrics, ThatCompareLivesDoNotGrowWithThem) {
  EXPECT_EQ(metrics_that(compares_lives),
            (std::vector<std::string_view>{"completed", "alive", "failed", "stuck", "useful_share",
                                           "useful_us", "useful_accelerator_us", "useful_steps",
                                           "finish_us", "cost_per_useful_hour", "violations"}));
  for (const char* pointer : {"/jobs/0/useful_us", "/experiments/0/useful_share"}) {
    EXPECT_TRUE(compares_lives(pointer)) << pointer;
  }
  // A job that dies early has little of each of these, and that says nothing for it.
  for (const char* other : {"", "/jobs/0/ettr", "/jobs/0/lost/us", "/jobs/0/wall_us", "useful"}) {
    EXPECT_FALSE(compares_lives(other)) << other;
  }
}

TEST(Metrics, AJobIsExhaustedWhereARetryBudgetEndedIt) {
  struct Row {
    std::string outcome;
    std::string reason;
    bool charge;  // that used the last of a budget up
    double exhausted;
  };
  const Row rows[] = {
      {"failed", "exhausted(max_failures)", true, 1},
      {"failed", "gave_up(modelarts.unconditional.limit)", true, 1},
      {"aborted", "exhausted(job-retry-num)", true, 1},
      {"failed", "gave_up(modelarts.unconditional.off)", false, 0},
      {"completed", "completed", true, 0},
      {"running", "", true, 0},
  };
  for (const Row& row : rows) {
    JobSummary job;
    job.outcome = row.outcome;
    job.reason = row.reason;
    BudgetSummary budget;
    budget.exhausted = row.charge;
    job.budgets = {{"budget", budget}};
    RunSummary summary;
    summary.jobs = {job};
    EXPECT_EQ(number_of(metric_values(summary)[*metric_named("exhausted")]), row.exhausted)
        << row.outcome << ' ' << row.reason;
  }
}

}  // namespace
}  // namespace aftershock::reports
