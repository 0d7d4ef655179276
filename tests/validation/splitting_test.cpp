#include "sim/sweep/splitting.h"

#include <cstdio>
#include <memory>
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

std::optional<SplittingEstimate> estimate(const Scenario& scenario, std::uint64_t seed,
                                          const SplittingOptions& options) {
  auto seeded = std::make_shared<Scenario>(scenario);
  seeded->seed = seed;
  auto result = estimate_exhaustion(seeded, options);
  if (const auto* why = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << *why;
    return std::nullopt;
  }
  return std::get<SplittingEstimate>(std::move(result));
}

/// O7's total budget, with what is left out of renewal.json as in o7_test.cpp.
std::optional<Scenario> total_budget(double per_day, double days, int k) {
  return read(
      "tests/validation/renewal.json",
      {"/jobs/0/checkpoint=null", "/jobs/0/steps=null", "/jobs/0/restart_phases/launching=0s",
       fmt::format("/jobs/0/policy/config/max_failures={}", k),
       fmt::format("/faults/0/source/exponential/mtbf={}us", minutes(kDayMinutes / per_day)),
       fmt::format("/until={}us", minutes(days * kDayMinutes))});
}

void expect_near(const std::string& what, const SplittingEstimate& got, double wanted) {
  ASSERT_TRUE(got.standard_error);
  expect_within_four_errors(what, got.probability, wanted, *got.standard_error);
  EXPECT_LT(got.lo, got.probability);
  EXPECT_GT(got.hi, got.probability);
}

/// Under a hundredth of the runs that plain sampling takes to the same error, each copy counted as
/// a run, and the calendar entries played as well.
void expect_cheap(const SplittingEstimate& got) {
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
  const auto got = estimate(*scenario, 1, {.effort = 200, .repetitions = 20});
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
                                         Total{"rsc1_half_day_1e3", 13.312, 0.5, 1e-3},
                                         Total{"rsc1_half_day_1e6", 13.312, 0.5, 1e-6},
                                         Total{"rsc1_1024_gpus_1e3", 0.832, 7, 1e-3},
                                         Total{"rsc1_1024_gpus_1e6", 0.832, 7, 1e-6},
                                         Total{"one_a_day_1e6", 1, 1, 1e-6}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::validation
