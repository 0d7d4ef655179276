#include "gui/compare/phase_difference.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

struct Span {
  std::int64_t begin_us;
  std::int64_t end_us;
  Kind kind = Kind::kProductive;
};

constexpr Kind kWorking = Kind::kProductive;
constexpr Kind kLoading = Kind::kRestoring;

/// A run of one job that did not complete.
Trace run_of_spans(const std::vector<Span>& spans, const char* entity = "job:llm") {
  Trace trace;
  const std::uint32_t number = trace.entities.add(entity);
  Lane& lane = trace.lanes.emplace_back(number, SubLane::kPhases, LaneColumns(false));
  for (const Span& each : spans) {
    lane.columns.add({.begin_us = each.begin_us, .end_us = each.end_us, .kind = each.kind});
    trace.last_us = std::max(trace.last_us, each.end_us == kOpen ? each.begin_us : each.end_us);
  }
  lane.columns.seal();
  trace.lane_of.emplace_back().fill(kNone);
  trace.lane_of[0][static_cast<std::size_t>(SubLane::kPhases)] = 0;
  trace.summary_json = R"({"summary":{"jobs":[{"name":"llm","outcome":"failed"}]}})";
  return trace;
}

Trace completed(Trace trace) {
  trace.summary_json = R"({"summary":{"jobs":[{"name":"llm","outcome":"completed"}]}})";
  return trace;
}

/// The sort of each difference with its times: "A 5-10, B 12-13".
std::string told(const PhaseDifferences& found) {
  std::string text;
  for (const JobDifferences& job : found.jobs()) {
    for (const PhaseDifference& each : job.phases) {
      const Ahead ahead = ahead_of(each.a, each.b);
      text += text.empty() ? "" : ", ";
      text += ahead == Ahead::kA ? "A " : ahead == Ahead::kB ? "B " : "- ";
      text += std::to_string(each.begin_us) + "-" + std::to_string(each.end_us);
    }
  }
  return text;
}

std::string told(const Trace& a, const Trace& b, const TimeMap& map = TimeMap()) {
  return told(PhaseDifferences(run_states(a), run_states(b), map));
}

TEST(PhaseDifference, IsWhereTheStatesDiffer) {
  const Trace plain = run_of_spans({{0, 10}, {10, 20, kLoading}, {20, 30}});
  struct Row {
    const char* name;
    Trace a;
    Trace b;
    const char* told;
  };
  std::vector<Row> rows;
  rows.push_back({"the same", run_of_spans({{0, 10}}), run_of_spans({{0, 10}}), ""});
  rows.push_back({"loads longer", run_of_spans({{0, 10}, {10, 20, kLoading}, {20, 30}}),
                  run_of_spans({{0, 10}, {10, 25, kLoading}, {25, 30}}), "A 20-25"});
  rows.push_back({"loads shorter", run_of_spans({{0, 10}, {10, 25, kLoading}, {25, 30}}),
                  run_of_spans({{0, 10}, {10, 20, kLoading}, {20, 30}}), "B 20-25"});
  rows.push_back({"neither works", run_of_spans({{0, 10, kLoading}}),
                  run_of_spans({{0, 10, Kind::kLaunching}}), "- 0-10"});
  rows.push_back({"B has died", run_of_spans({{0, 10}}), run_of_spans({{0, 4}}), "A 4-10"});
  rows.push_back(
      {"B is done", run_of_spans({{0, 10}}), completed(run_of_spans({{0, 4}})), "B 4-10"});
  rows.push_back({"B is done, A loads", run_of_spans({{0, 10, kLoading}}),
                  completed(run_of_spans({{0, 4, kLoading}})), "B 4-10"});
  rows.push_back({"no phases", run_of_spans({}), run_of_spans({{0, 4}}), "B 0-4"});
  rows.push_back({"neither has any", run_of_spans({}), run_of_spans({}), ""});
  rows.push_back(
      {"another job", run_of_spans({{0, 10}}, "job:x"), run_of_spans({{0, 4}}, "job:y"), ""});
  rows.push_back({"empty spans say nothing", run_of_spans({{0, 10}, {5, 5, kLoading}}),
                  run_of_spans({{0, 10}}), ""});
  rows.push_back({"not ended: as far as told", run_of_spans({{0, kOpen}}),
                  run_of_spans({{0, 4}, {4, 9, kLoading}}), ""});
  rows.push_back({"a gap", run_of_spans({{0, 4}, {6, 9}}), run_of_spans({{0, 9}}), "B 4-6"});
  rows.push_back({"the end of a trial says nothing", run_of_spans({{0, 4}}, "trial:x/1"),
                  run_of_spans({{0, 9}}, "trial:x/1"), ""});
  for (const Row& row : rows) {
    EXPECT_EQ(told(row.a, row.b), row.told) << row.name;
  }
  EXPECT_EQ(told(Trace{}, plain), "");
  EXPECT_EQ(told(plain, Trace{}), "");
}

TEST(PhaseDifference, WhatARecordingDoesNotSayIsNoDifference) {
  Trace cut = run_of_spans({{0, 10}, {10, kOpen, kLoading}});
  cut.summary_json.clear();
  cut.last_us = 15;
  EXPECT_EQ(told(cut, run_of_spans({{0, 10}, {10, 12, kLoading}, {12, 30}})), "B 12-15");
  Trace between = run_of_spans({{0, 10}});
  between.summary_json.clear();
  EXPECT_EQ(told(between, run_of_spans({{0, 30}})), "");
}

TEST(PhaseDifference, StandsAtTheTimesOfA) {
  const Trace a = run_of_spans({{0, 10}, {10, 20, kLoading}, {20, 40}});
  const Trace b = run_of_spans({{0, 110}, {110, 140, kLoading}, {140, 200}});
  const TimeMap map({{10, 110}, {40, 200}});
  EXPECT_EQ(told(a, b, map), "B -100-0");
  // A leap of B: what it did meanwhile stands beside nothing.
  EXPECT_EQ(
      told(a, run_of_spans({{0, 10}, {10, 50, kLoading}, {50, 70}}), TimeMap({{20, 20}, {20, 50}})),
      "");
  // A leap of A: B stands still, at the end of its work.
  EXPECT_EQ(told(a, run_of_spans({{0, 10}, {10, 30}}), TimeMap({{10, 10}, {20, 10}})), "B 10-20");
}

// Each microsecond by itself, against what job_states and the map say of it.
TEST(PhaseDifference, IsWhatEachMicrosecondSays) {
  std::mt19937 random(11);
  const auto pick = [&](int most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  const auto any_run = [&] {
    std::vector<Span> spans;
    for (std::int64_t t_us = pick(4); spans.size() < 6; t_us += pick(5)) {
      constexpr Kind kKindsHere[]{kWorking, kLoading, Kind::kLaunching};
      // They overlap and leave gaps.
      spans.push_back({t_us, t_us + pick(7), kKindsHere[pick(3)]});
    }
    return pick(2) == 0 ? run_of_spans(spans) : completed(run_of_spans(spans));
  };
  const auto state_at = [](const std::vector<StateFrom>& states, std::int64_t t_us) {
    return std::prev(std::ranges::upper_bound(states, t_us, {}, &StateFrom::begin_us))->state;
  };
  for (int round = 0; round < 300; ++round) {
    const Trace a = any_run();
    const Trace b = any_run();
    std::vector<TimePair> pairs;
    for (std::int64_t i = pick(4); i > 0; --i) {
      pairs.push_back({pick(30), pick(30)});
    }
    const TimeMap map(pairs);
    const PhaseDifferences found(run_states(a), run_states(b), map);
    const auto states_a = run_states(a).of.at("job:llm");
    const auto states_b = run_states(b).of.at("job:llm");
    const std::int64_t until_us = std::max(a.last_us, map.a_reaching(b.last_us));
    for (std::int64_t t_us = -40; t_us < 80; ++t_us) {
      const JobState in_a = state_at(states_a, t_us);
      const JobState in_b = state_at(states_b, map.to_b(t_us));
      const AheadMask wanted =
          t_us >= until_us || in_a == in_b ? AheadMask{0} : mask_of(ahead_of(in_a, in_b));
      ASSERT_EQ(found.within(t_us, t_us + 1), wanted) << "round " << round << " at " << t_us;
      const std::int64_t wide_us = t_us + pick(9);
      AheadMask each = 0;
      for (std::int64_t i = t_us; i < wide_us; ++i) {
        each |= found.within(i, i + 1);
      }
      ASSERT_EQ(found.within(t_us, wide_us), each) << "round " << round << " from " << t_us;
    }
  }
}

TEST(PhaseDifference, EqualRunsDifferNowhereHoweverTheyAreAligned) {
  std::mt19937_64 random(3);
  std::vector<Span> spans;
  std::vector<TimePair> pairs;
  std::int64_t t_us = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto next_us = t_us + 1 + static_cast<std::int64_t>(random() % 10'000'000'000'000);
    spans.push_back({t_us, next_us, i % 2 == 0 ? kWorking : kLoading});
    t_us = next_us;
    const auto pair_us = static_cast<std::int64_t>(random() % 5'000'000'000'000'000);
    pairs.push_back({pair_us, pair_us});
  }
  const Trace a = run_of_spans(spans);
  EXPECT_EQ(told(a, run_of_spans(spans), TimeMap(pairs)), "");
}

TEST(PhaseDifference, TellsAndSteps) {
  const Trace a =
      run_of_spans({{0, 10}, {10, 20, kLoading}, {20, 30}, {30, 40, kLoading}, {40, 50}});
  const Trace b =
      run_of_spans({{0, 12}, {12, 20, kLoading}, {20, 30}, {30, 45, kLoading}, {45, 50}});
  const PhaseDifferences found(run_states(a), run_states(b), TimeMap());
  ASSERT_EQ(told(found), "B 10-12, A 40-45");
  const auto at_11 = found.told(11, 12, 9);
  ASSERT_EQ(at_11.size(), 1U);
  EXPECT_EQ(at_11[0].first->entity, "job:llm");
  EXPECT_EQ(at_11[0].second.a.phase, kLoading);
  EXPECT_EQ(found.told(0, 50, 9)[0].second.begin_us, 40) << "the longest";
  EXPECT_TRUE(found.told(0, 50, 0).empty());
  EXPECT_TRUE(found.told(13, 40, 9).empty());
  EXPECT_EQ(found.total_us(Ahead::kA), 5);
  EXPECT_EQ(found.total_us(Ahead::kB), 2);
  EXPECT_EQ(found.total_us(Ahead::kNeither), 0);
  EXPECT_EQ(found.next_begin(-1), 10);
  EXPECT_EQ(found.next_begin(10), 40);
  EXPECT_EQ(found.next_begin(40), 40);
  EXPECT_EQ(found.previous_begin(40), 10);
  EXPECT_EQ(found.previous_begin(10), 10);
}

// As a file may have them that no run wrote.
TEST(PhaseDifference, BearsTimesFromTheEdge) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Trace a = run_of_spans({{0, 5}, {5, kMost - 1, kLoading}});
  const Trace b = run_of_spans({{kMost - 3, kMost - 2}});
  for (const TimeMap& map :
       {TimeMap(), TimeMap({{5, kMost - 2}}), TimeMap({{kMost - 2, 5}}),
        TimeMap({{0, 0}, {1, kMost - 1}}), TimeMap({{0, 0}, {kMost - 1, 1}})}) {
    const PhaseDifferences found(run_states(a), run_states(b), map);
    EXPECT_NE(found.within(0, kMost), 0);
  }
}

}  // namespace
}  // namespace aftershock::gui
