// Runs held against a baseline that was written before runs had useful work.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "reports/baseline/judge.h"

namespace aftershock::reports {
namespace {

constexpr std::int64_t kHour_us = std::int64_t{3600} * 1'000'000;

std::string run_of_schema_2(std::uint64_t seed, const std::string& verdict,
                            const std::string& outcome, const std::string& metrics) {
  return R"({"decisions":{"count":1,"first":["p.a"],"hash":"0000000000000007","marks":[]},)"
         R"("hash":"fedcba9876543210","metrics":{"charges":3,"cost":null,"ettr":0.9,)"
         R"("false_alarms":0,"lost_us":0,"violations":0,)" +
         metrics + R"(},"outcome":")" + outcome +
         R"(","policy":"p@1","scenario":"a.json","seed":)" + std::to_string(seed) +
         R"(,"text":"00000000000000ab","verdict":")" + verdict + "\"}";
}

/// A file as the program wrote it before runs had useful work.
std::string baseline_of_schema_2() {
  const std::string of_none = R"("exhausted":0,"exhausted_us":null,)";
  return "{\n\"runs\": [\n" +
         run_of_schema_2(1, "failed", "failed, exhausted(max_failures)",
                         R"("completed":0,"exhausted":1,"exhausted_us":3600000000,"failed":1)") +
         ",\n" + run_of_schema_2(2, "stuck", "running", of_none + R"("completed":0,"failed":0)") +
         ",\n" +
         run_of_schema_2(3, "passed", "completed", of_none + R"("completed":1,"failed":0)") +
         ",\n" + run_of_schema_2(4, "failed", "running", of_none + R"("completed":0,"failed":0)") +
         "\n],\n\"schema\": 2\n}\n";
}

TEST(Judge, HoldsARunAgainstABaselineWithoutUsefulWork) {
  const auto read = read_baseline(baseline_of_schema_2(), "ci.json");
  const auto* baseline = std::get_if<Baseline>(&read);
  ASSERT_NE(baseline, nullptr) << std::get<std::string>(read);
  EXPECT_EQ(baseline->schema, 2);
  struct Lived {
    std::uint64_t seed;
    std::int64_t alive;
    std::int64_t stuck;
  };
  for (const Lived& row : {Lived{1, 0, 0}, Lived{2, 0, 1}, Lived{3, 1, 0}, Lived{4, 1, 0}}) {
    SCOPED_TRACE(row.seed);
    const BaselineRun* old = baseline->find({"a.json", "", row.seed});
    ASSERT_NE(old, nullptr);
    const std::size_t alive = *metric_named("alive");
    const std::size_t stuck = *metric_named("stuck");
    EXPECT_TRUE(old->known[alive] && old->known[stuck]);
    EXPECT_EQ(old->values[alive], MetricValue{row.alive});
    EXPECT_EQ(old->values[stuck], MetricValue{row.stuck});
    // The same run by this program: nothing of it changed but that its useful work is known.
    BaselineRun now = *old;
    now.known.clear();
    now.values[*metric_named("useful_us")] = 5 * kHour_us;
    now.values[*metric_named("useful_share")] = 0.5;
    now.values[*metric_named("finish_us")] = 6 * kHour_us;
    TimedTrace trace;
    trace.trace = now.decisions;
    trace.at_us.resize(trace.trace.first.size());
    const Judgement found = judge(*old, now, trace, {});
    EXPECT_EQ(found.standing, Standing::kChanged) << "not the same, since not all of it is judged";
    EXPECT_TRUE(found.changes.empty());
    EXPECT_EQ(found.not_judged,
              (std::vector<std::size_t>{
                  *metric_named("useful_us"), *metric_named("useful_accelerator_us"),
                  *metric_named("useful_steps"), *metric_named("finish_us")}));
    // The outcomes that were filled in are judged.
    now.values[alive] = std::int64_t{1 - row.alive};
    EXPECT_EQ(judge(*old, now, trace, {}).standing,
              row.alive == 1 ? Standing::kWorse : Standing::kBetter);
  }
}

}  // namespace
}  // namespace aftershock::reports
