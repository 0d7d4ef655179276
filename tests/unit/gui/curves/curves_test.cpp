#include "gui/curves/curves.h"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "reports/json/json_value.h"
#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

/// The value at a time, by the slow way.
std::optional<std::int64_t> at(const Curve& curve, std::int64_t t_us) {
  std::optional<std::int64_t> value;
  for (std::size_t i = 0; i < curve.samples.t_us.size(); ++i) {
    if (curve.samples.t_us[i] <= t_us) {
      value = curve.samples.value[i];
    }
  }
  return value;
}

void expect_in_order(const Curve& curve) {
  EXPECT_EQ(curve.samples.t_us.size(), curve.samples.value.size()) << curve.name;
  EXPECT_TRUE(std::ranges::is_sorted(curve.samples.t_us)) << curve.name;
  EXPECT_TRUE(std::ranges::is_sorted(curve.marks, {}, &CurveMark::t_us)) << curve.name;
}

// Trains 100 us for 10 steps, restores 50 us, is put back to 4 steps, trains 50 us more.
const char* const kCurveLines = R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training"}
{"t":100,"r":"counter","on":"job:llm","name":"steps","value":10}
{"t":100,"r":"end","id":1}
{"t":100,"r":"begin","on":"job:llm","id":2,"what":"restoring"}
{"t":150,"r":"end","id":2}
{"t":150,"r":"instant","on":"job:llm","what":"rolled_back","from_us":100,"to_us":40,"lost_us":60}
{"t":150,"r":"begin","on":"job:llm","id":3,"what":"training"}
{"t":200,"r":"counter","on":"job:llm","name":"steps","value":9}
{"t":200,"r":"end","id":3}
)";

TEST(Curves, EttrRisesWithWorkAndFallsWhenItIsLost) {
  const SampleRun run(kCurveLines);
  const auto job = run.trace().entities.find("job:llm");
  ASSERT_TRUE(job);
  const auto ettr = ettr_curve(run.trace(), *job);
  ASSERT_TRUE(ettr);
  expect_in_order(*ettr);
  EXPECT_EQ(at(*ettr, 0), std::nullopt);
  EXPECT_EQ(at(*ettr, 50), 10'000);
  EXPECT_EQ(at(*ettr, 125), 8'000);
  const bool has_loss = !run.trace().rolled_back.empty();
  ASSERT_TRUE(has_loss);
  EXPECT_EQ(at(*ettr, 150), (100 - run.trace().rolled_back[0].lost_us) * 10'000 / 150 + 1);
  EXPECT_EQ(at(*ettr, 200), (150 - run.trace().rolled_back[0].lost_us) * 50);
  EXPECT_EQ(value_text(*ettr, 9'731), "97.31%");
  EXPECT_EQ(value_text(*ettr, 7), "0.07%");
}

// A job that dies at 100 us in a run of 200 us: its loss is written down as the run closes.
TEST(Curves, TimeAfterAJobsEndIsNotItsOwn) {
  const SampleRun run(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training"}
{"t":80,"r":"counter","on":"job:llm","name":"steps","value":8}
{"t":80,"r":"end","id":1}
{"t":80,"r":"begin","on":"job:llm","id":2,"what":"undetected"}
{"t":100,"r":"end","id":2}
{"t":100,"r":"instant","on":"job:llm","what":"ended","reason":"failed"}
{"t":200,"r":"instant","on":"job:llm","what":"rolled_back","from_us":80,"to_us":50,"lost_us":30}
)");
  const auto job = run.trace().entities.find("job:llm");
  ASSERT_TRUE(job);
  ASSERT_EQ(run.trace().rolled_back.size(), 1U);
  const auto ettr = ettr_curve(run.trace(), *job);
  ASSERT_TRUE(ettr);
  expect_in_order(*ettr);
  EXPECT_EQ(ettr->samples.value.back(), 50 * 10'000 / 100);
  EXPECT_EQ(ettr->samples.t_us.back(), 100);
  EXPECT_EQ(useful_curve(run.trace(), *job, {50, 1000})->samples.t_us.back(), 100);
  const auto progress = progress_curve(run.trace(), *job);
  ASSERT_TRUE(progress);
  expect_in_order(*progress);
  EXPECT_EQ(progress->samples.t_us.back(), 100);
}

TEST(Curves, ProgressIsEvenBetweenRecordsAndFallsAtOnce) {
  const SampleRun run(kCurveLines);
  const auto job = run.trace().entities.find("job:llm");
  const auto progress = progress_curve(run.trace(), *job);
  ASSERT_TRUE(progress);
  expect_in_order(*progress);
  EXPECT_EQ(at(*progress, 0), 0);
  EXPECT_EQ(at(*progress, 50), 5);
  EXPECT_EQ(at(*progress, 100), 10);
  EXPECT_EQ(at(*progress, 149), 10);
  EXPECT_EQ(at(*progress, 150), 4);
  EXPECT_EQ(at(*progress, 200), 9);
  EXPECT_EQ(value_text(*progress, 9), "9");
}

TEST(Curves, OfNothingAreNone) {
  const Trace nothing;
  const std::atomic<bool> stop = false;
  EXPECT_TRUE(reckon(nothing, "nowhere", stop).curves.empty());
  EXPECT_EQ(ettr_curve(nothing, 3), std::nullopt);
  EXPECT_EQ(progress_curve(nothing, kNone), std::nullopt);
}

Charge charge(std::int64_t t_us, std::int64_t before, std::int64_t used, bool charged) {
  Charge made;
  made.t_us = t_us;
  made.entity = 0;
  made.move = {.budget = "failures",
               .cause = "",
               .before = before,
               .used = used,
               .limit = 3,
               .charged = charged,
               .exhausted = false};
  return made;
}

TEST(Curves, BudgetsStepAndMarkWhatIsExempt) {
  const SampleRun run(kCurveLines);
  const auto curves = budget_curves(run.trace(), {charge(20, 0, 1, true), charge(30, 1, 1, false)});
  ASSERT_EQ(curves.size(), 1U);
  expect_in_order(curves[0]);
  EXPECT_EQ(curves[0].facet, Facet::kBudgets);
  EXPECT_EQ(curves[0].limit, 3);
  EXPECT_EQ(at(curves[0], 19), 0);
  EXPECT_EQ(at(curves[0], 20), 1);
  EXPECT_EQ(curves[0].marks, (std::vector<CurveMark>{{20, true}, {30, false}}));
  EXPECT_EQ(value_text(curves[0], 1), "1 of 3");
}

TEST(Curves, OfARunEndWhereItsSummaryDoes) {
  for (const std::string name : {"quickstart", "reference_54_days", "no_resume"}) {
    Trace trace;
    const std::string path = ::testing::TempDir() + "curves-" + name + ".aftershock";
    record_scenario(trace, "scenarios/" + name + ".json", path);
    const std::atomic<bool> stop = false;
    const std::vector<Curve> curves = reckon(trace, path, stop).curves;
    const reports::JsonValue line = reports::parsed(trace.summary_json);
    const reports::JsonValue& summary =
        reports::part(line, "summary").is_object() ? reports::part(line, "summary") : line;
    ASSERT_FALSE(reports::part(summary, "jobs").empty()) << name;
    const auto& job = reports::part(summary, "jobs").at(0);
    bool has_budget = false;
    int shares = 0;
    for (const Curve& curve : curves) {
      expect_in_order(curve);
      ASSERT_FALSE(curve.samples.value.empty()) << curve.name;
      has_budget = has_budget || curve.facet == Facet::kBudgets;
      const std::map<std::string, const char*> told{{"ettr", "ettr"}, {"useful", "useful_share"}};
      if (const auto share = told.find(curve.name); share != told.end()) {
        ++shares;
        EXPECT_NEAR(static_cast<double>(curve.samples.value.back()),
                    job.at(share->second).get<double>() * 10'000, 2)
            << name;
      }
      if (curve.name == "progress") {
        EXPECT_GT(curve.samples.value.back(), 0);
        EXPECT_LE(curve.samples.value.back(), curve.limit.value_or(1'000'000'000));
      }
    }
    EXPECT_TRUE(has_budget) << name;
    EXPECT_EQ(shares, 2) << name;
  }
}

}  // namespace
}  // namespace aftershock::gui
