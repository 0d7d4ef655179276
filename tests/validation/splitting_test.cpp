#include "sim/sweep/splitting.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/validation/formulas.h"
#include "tests/validation/renewal.h"
#include "tests/validation/run.h"
#include "tests/validation/statistics.h"

// Splitting, against oracle O7 where that has a closed form, and against plain runs where nothing
// has.
namespace aftershock::sim::validation {
namespace {

constexpr double kDayMinutes = 1440;
// With fewer worlds a level the estimate is too small most of the time, and so is its error.
constexpr std::uint32_t kEffort = 200;

std::optional<sweep::SplittingEstimate> estimate(const scenario::Scenario& scenario,
                                                 std::uint64_t seed,
                                                 const sweep::SplittingOptions& options) {
  auto seeded = std::make_shared<scenario::Scenario>(scenario);
  seeded->seed = seed;
  auto result = sweep::estimate_exhaustion(seeded, options);
  if (const auto* why = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << *why;
    return std::nullopt;
  }
  return std::get<sweep::SplittingEstimate>(std::move(result));
}

/// O7's total budget, with what is left out of renewal.json as in o7_test.cpp.
std::optional<scenario::Scenario> total_budget(double per_day, double days, int k) {
  return read(
      "tests/validation/renewal.json",
      {"/jobs/0/checkpoint=null", "/jobs/0/steps=null", "/jobs/0/restart_phases/launching=0s",
       fmt::format("/jobs/0/policy/config/max_failures={}", k),
       fmt::format("/faults/0/source/exponential/mtbf={}us", minutes(kDayMinutes / per_day)),
       fmt::format("/until={}us", minutes(days * kDayMinutes))});
}

void expect_near(const std::string& what, const sweep::SplittingEstimate& got, double wanted) {
  ASSERT_TRUE(got.standard_error);
  expect_within_four_errors(what, got.probability, wanted, *got.standard_error);
  EXPECT_LT(got.lo, got.probability);
  EXPECT_GT(got.hi, got.probability);
}

/// Under a hundredth of the runs that plain sampling takes to the same error, each copy counted as
/// a run, and the calendar entries played as well.
void expect_cheap(const sweep::SplittingEstimate& got) {
  ASSERT_TRUE(got.plain_runs);
  std::printf("  %.3g worlds, work of %.3g runs, for %.3g plain runs\n",
              static_cast<double>(got.worlds), got.work_in_runs, *got.plain_runs);
  EXPECT_LT(100 * static_cast<double>(got.worlds), *got.plain_runs);
  EXPECT_LT(100 * got.work_in_runs, *got.plain_runs);
}

struct Total {
  const char* name;
  double per_day;
  double days;
  double rarest;  ///< the budget is the least that is exhausted with at most this probability
};

class SplittingO7 : public testing::TestWithParam<Total> {};

TEST_P(SplittingO7, TotalBudget) {
  const Total& row = GetParam();
  int k = 0;
  while (exhausted(row.per_day, row.days, k) > row.rarest) {
    ++k;
  }
  const double p = exhausted(row.per_day, row.days, k);
  const auto scenario = total_budget(row.per_day, row.days, k);
  ASSERT_TRUE(scenario);
  const auto got = estimate(*scenario, 1, {.effort = kEffort});
  ASSERT_TRUE(got);
  expect_near(fmt::format("{}, k {}", row.name, k), *got, p);
  // Poisson at every level, not only at the last.
  ASSERT_EQ(got->levels.size(), static_cast<std::size_t>(k) + 1);
  for (int used = 1; used <= k; ++used) {
    const double reached = exhausted(row.per_day, row.days, used - 1);
    // Crude, and enough to tell a level from its neighbours: half to twice.
    EXPECT_GT(got->levels[static_cast<std::size_t>(used) - 1].reached, reached / 2) << used;
    EXPECT_LT(got->levels[static_cast<std::size_t>(used) - 1].reached, reached * 2) << used;
  }
  if (row.rarest <= 1e-6) {
    expect_cheap(*got);
  } else {
    EXPECT_LT(got->lo, p);
    EXPECT_GT(got->hi, p);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, SplittingO7,
                         testing::Values(Total{"llama_day_1e3", 419 / 54.0, 1, 1e-3},
                                         Total{"llama_day_1e6", 419 / 54.0, 1, 1e-6},
                                         Total{"rsc1_1024_gpus_1e3", 0.832, 7, 1e-3},
                                         Total{"rsc1_1024_gpus_1e6", 0.832, 7, 1e-6},
                                         Total{"one_a_day_1e6", 1, 1, 1e-6}),
                         [](const auto& row) { return row.param.name; });

struct Row {
  const char* name;
  double mtbf;  ///< minutes, as all of these
  double tau;
  double save;
  double restart;
  int segments;
};

// O7's consecutive budget: k + 1 failures without a save between them, of which the first may be
// anywhere in a segment and each other is in the restart or the segment that follow.
double in_a_row(const Row& row, int k) {
  const double lam = 1 / row.mtbf;
  const double first = -std::expm1(-lam * (row.tau + row.save));
  const double further = -std::expm1(-lam * (row.restart + row.tau + row.save));
  return -std::expm1(row.segments * std::log1p(-first * std::pow(further, k)));
}

class SplittingInARow : public testing::TestWithParam<Row> {};

TEST_P(SplittingInARow, ConsecutiveBudget) {
  const Row& row = GetParam();
  constexpr int kBudget = 3;  // the guide's, which no setting changes
  const double p = in_a_row(row, kBudget);
  const auto scenario =
      read("tests/validation/o7_consecutive.json",
           {fmt::format("/jobs/0/step={}us", minutes(row.tau)),
            fmt::format("/jobs/0/steps={}", row.segments),
            fmt::format("/jobs/0/checkpoint/blocking={}us", minutes(row.save)),
            fmt::format("/jobs/0/restart_phases/warming_up={}us", minutes(row.restart)),
            fmt::format("/faults/0/source/exponential/mtbf={}us", minutes(row.mtbf))});
  ASSERT_TRUE(scenario);
  const auto got = estimate(*scenario, 1, {.effort = kEffort});
  ASSERT_TRUE(got);
  expect_near(row.name, *got, p);
  if (p < 1e-5) {
    expect_cheap(*got);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, SplittingInARow,
                         testing::Values(Row{"llama_10_segments", 185.5847, 30, 1, 5, 10},
                                         Row{"one_segment_1e6", 1000, 30, 1, 5, 1}),
                         [](const auto& row) { return row.param.name; });

TEST(SplittingInARow, FormulaPrintsTheOracle) {
  expect_printed("P", in_a_row({"", 1440 * 54 / 419.0, 30, 1, 5, 288}, 3), 0.215718291544, 12);
  expect_printed("P", in_a_row({"", 60, 30, 2, 10, 48}, 2), 0.995065792663, 12);
  expect_printed("P", in_a_row({"", 20, 10, 1, 3, 100}, 3), 0.996106025893, 12);
}

// An estimate without a closed form is held to plain runs, with seeds of their own.
TEST(Splitting, AgreesWithPlainRuns) {
  const auto scenario = read("tests/validation/splitting_mixed.json");
  ASSERT_TRUE(scenario);
  const auto ends = over_seeds(*scenario, seeds(4000), [](const FinishedRun& run) {
    return static_cast<int>(run.job().budgets.front().second.exhausted);
  });
  double plain = 0;
  for (const int end : ends) {
    plain += end / static_cast<double>(ends.size());
  }
  ASSERT_GT(plain, 0.02);
  ASSERT_LT(plain, 0.3);
  const double plain_error = std::sqrt(plain * (1 - plain) / static_cast<double>(ends.size()));
  std::vector<double> got;
  constexpr std::uint64_t kFirst = 1'000'000;  // no plain run has it
  for (std::uint64_t seed = kFirst; seed < kFirst + 12; ++seed) {
    const auto one = estimate(*scenario, seed, {.effort = 20});
    ASSERT_TRUE(one && one->standard_error);
    expect_within_four_errors(fmt::format("seed {}", seed), one->probability, plain,
                              std::hypot(*one->standard_error, plain_error));
    got.push_back(one->probability);
  }
  const Moments all(got);
  expect_within_four_errors("all of them", all.mean, plain,
                            std::hypot(all.mean_error(), plain_error));
}

}  // namespace
}  // namespace aftershock::sim::validation
