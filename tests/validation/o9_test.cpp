#include <algorithm>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/times.h"
#include "tests/validation/formulas.h"
#include "tests/validation/run.h"
#include "tests/validation/statistics.h"
#include "tests/validation/window.h"

// Oracle O9: three faults of one code on one chip within less than 24 h. ModelArts' rule isolates
// the node then; a fault exactly 24 h after the first of three would not make it, which for
// continuous gaps is a matter of nothing.
namespace aftershock::sim::validation {
namespace {

constexpr const char* kRule = "modelarts.in_place.degrade.same_code_3_in_24h";

/// When the third of three comes in time; none if it never does.
std::optional<std::int64_t> fires_us(const std::vector<faults::FaultRecord>& faults) {
  for (std::size_t i = 2; i < faults.size(); ++i) {
    if (faults[i].t_us - faults[i - 2].t_us < kDay) {
      return faults[i].t_us;
    }
  }
  return std::nullopt;
}

/// Whether the rule ended the run: 1, 0; -1 when it did not do so where it had to.
int fired_in(const FinishedRun& run) {
  const auto due_us = fires_us(run.faults);
  const auto& job = run.job();
  const bool healed_before = job.attempts == static_cast<std::int64_t>(run.faults.size()) + 1;
  if (!due_us) {
    return job.outcome == "running" && healed_before ? 0 : -1;
  }
  const auto& rules = job.recoveries.back().rules;
  return job.outcome == "failed" && job.wall_us == *due_us && run.faults.back().t_us == *due_us &&
                 healed_before && std::ranges::find(rules, kRule) != rules.end()
             ? 1
             : -1;
}

struct Window {
  const char* name;
  double per_day;
  int days;
  double printed;
  int digits;
  std::uint64_t runs;
};

void PrintTo(const Window& row, std::ostream* out) { *out << row.name; }

class O9 : public testing::TestWithParam<Window> {};

TEST_P(O9, ThirdFaultWithinADay) {
  const Window& row = GetParam();
  const double p = three_within(row.per_day, row.days);
  expect_printed("P(fires)", p, row.printed, row.digits);
  const auto scenario = read("tests/validation/o9_window.json",
                             {fmt::format("/faults/0/source/exponential/mtbf={}us",
                                          std::llround(static_cast<double>(kDay) / row.per_day)),
                              fmt::format("/until={}d", row.days)});
  ASSERT_TRUE(scenario);
  const auto ends = over_seeds(*scenario, seeds(row.runs), fired_in);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ASSERT_GE(ends[i], 0) << "seed " << i + 1 << ": not at the third fault of a day";
    count += ends[i];
  }
  expect_share(std::string(row.name) + ", P(fires)", count, ends.size(), p);
}

INSTANTIATE_TEST_SUITE_P(Rows, O9,
                         testing::Values(Window{"half_a_day_30d", 0.5, 30, 0.6253948, 7, 3000},
                                         Window{"one_a_day_10d", 1, 10, 0.785141, 6, 3000},
                                         Window{"tenth_a_day_30d", 0.1, 30, 0.01276755591, 10,
                                                3000},
                                         Window{"half_a_day_1d", 0.5, 1, 0.0143876780, 10, 3000},
                                         Window{"one_a_day_1d", 1, 1, 0.0803013971, 10, 3000},
                                         Window{"three_a_day_1d", 3, 1, 0.5768099189, 10, 3000}),
                         [](const auto& row) { return row.param.name; });

TEST(O9Figures, AsPrinted) {
  expect_printed("P", three_within(0.02, 54), 0.00020771647, 11);
  expect_printed("E", expected_threes(0.5, 30), 1.3242848, 7);
  expect_printed("E", expected_threes(0.1, 30), 0.01372721434, 11);
  expect_printed("E", expected_threes(1, 10), 2.48180838, 8);
  expect_printed("E", expected_threes(0.02, 54), 0.00021051450, 11);
  // Within one window there is no edge: three events at all.
  for (const double nu : {0.5, 1.0, 3.0}) {
    EXPECT_NEAR(three_within(nu, 1), exhausted(nu, 1, 2), 1e-12);
  }
  expect_printed("lemon, 1 in 7 d", three_within(1 / 7.0, 7), 0.00765629, 8);
  expect_printed("lemon, 1 in 3 d", three_within(1 / 3.0, 7), 0.0743439, 7);
  expect_printed("lemon, 1 a day", three_within(1, 7), 0.651866, 6);
}

}  // namespace
}  // namespace aftershock::sim::validation
