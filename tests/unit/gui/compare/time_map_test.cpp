#include "gui/compare/time_map.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

struct TimeRow {
  std::int64_t a_us;
  std::int64_t b_us;
};

TEST(TimeMap, GoesThroughItsPairs) {
  const TimeMap map({{100, 50}, {200, 150}, {300, 170}});
  for (const auto& [a_us, b_us] :
       {TimeRow{0, -50}, TimeRow{100, 50}, TimeRow{150, 100}, TimeRow{200, 150}, TimeRow{250, 160},
        TimeRow{300, 170}, TimeRow{400, 270}}) {
    EXPECT_EQ(map.to_b(a_us), b_us);
    EXPECT_EQ(map.to_a(b_us), a_us);
  }
}

TEST(TimeMap, WithoutPairsTimeIsTime) {
  const TimeMap map;
  for (const std::int64_t t_us : {std::int64_t{-7}, std::int64_t{0}, std::int64_t{1} << 61}) {
    EXPECT_EQ(map.to_b(t_us), t_us);
    EXPECT_EQ(map.to_a(t_us), t_us);
  }
}

TEST(TimeMap, NeverRunsBackwards) {
  const TimeMap map({{10, 100}, {20, 90}, {30, 110}, {30, 120}});
  const std::vector<TimePair> kept{{10, 100}, {30, 110}, {30, 120}};
  EXPECT_EQ(map.pairs(), kept);
  std::int64_t last = map.to_b(0);
  for (std::int64_t a_us = 1; a_us < 50; ++a_us) {
    EXPECT_GE(map.to_b(a_us), last);
    last = map.to_b(a_us);
  }
}

TEST(TimeMap, OfEqualTimesIsTheSameTime) {
  std::mt19937_64 random(5);
  std::vector<TimePair> pairs;
  for (int i = 0; i < 100; ++i) {
    const auto t_us = static_cast<std::int64_t>(random() % 31'536'000'000'000);
    pairs.push_back({t_us, t_us});
  }
  const TimeMap map(pairs);
  for (int i = 0; i < 10'000; ++i) {
    const auto t_us = static_cast<std::int64_t>(random() % 31'536'000'000'000);
    ASSERT_EQ(map.to_b(t_us), t_us);
    ASSERT_EQ(map.to_a(t_us), t_us);
    ASSERT_EQ(map.a_reaching(t_us), t_us);
  }
}

TEST(TimeMap, FindsWhenBIsReached) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    std::vector<TimePair> pairs(random() % 6);
    for (TimePair& pair : pairs) {
      pair = {static_cast<std::int64_t>(random() % 20), static_cast<std::int64_t>(random() % 20)};
    }
    const TimeMap map(pairs);
    for (std::int64_t b_us = -10; b_us < 40; ++b_us) {
      const std::int64_t a_us = map.a_reaching(b_us);
      ASSERT_GE(map.to_b(a_us), b_us) << "round " << round;
      ASSERT_LT(map.to_b(a_us - 1), b_us) << "round " << round;
    }
  }
}

Trace with_steps(const std::vector<std::int64_t>& t_us, const std::vector<std::int64_t>& steps) {
  Trace trace;
  reports::HeaderJob job;
  job.name = "llm";
  trace.header.jobs.push_back(job);
  const std::uint32_t entity = trace.entities.add("job:llm");
  trace.counters.push_back({entity, trace.texts.add("steps"), t_us, steps});
  return trace;
}

// A falls back to step 5 at 30 us, and is at step 10 for the first time at 20 us.
TEST(TimeMap, ByProgressStandsWhereAStepWasFirstReached) {
  const Trace a = with_steps({10, 20, 30, 40, 60}, {5, 10, 5, 10, 20});
  const Trace b = with_steps({100, 200}, {10, 20});
  const TimeMap map = time_map(a, b, Alignment::kProgress);
  EXPECT_EQ(map.to_b(20), 100);
  EXPECT_EQ(map.to_b(40), 150);
  EXPECT_EQ(map.to_b(60), 200);
  EXPECT_EQ(map.to_a(150), 40);
  EXPECT_TRUE(time_map(a, Trace{}, Alignment::kProgress).pairs().empty());
}

TEST(TimeMap, ByFaultStandsWhereAFaultStruck) {
  Trace a;
  Trace b;
  a.faults = {{.t_us = 10, .id = a.texts.add("x")}, {.t_us = 20, .id = a.texts.add("y")}};
  b.faults = {{.t_us = 15, .id = b.texts.add("x")}, {.t_us = 35, .id = b.texts.add("y")}};
  const TimeMap map = time_map(a, b, Alignment::kFault);
  EXPECT_EQ(map.to_b(10), 15);
  EXPECT_EQ(map.to_b(15), 25);
  EXPECT_EQ(map.to_b(25), 40);
  EXPECT_EQ(time_map(a, b, Alignment::kTime).to_b(10), 10);
}

}  // namespace
}  // namespace aftershock::gui
