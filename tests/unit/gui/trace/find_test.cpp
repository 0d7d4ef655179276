#include "gui/trace/find.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

Trace sample_faults() {
  Trace trace;
  std::uint32_t line = 0;
  for (const std::int64_t t_us : {10, 20, 20, 30}) {
    trace.faults.push_back({.t_us = t_us, .fired = t_us != 30, .line = ++line});
    trace.decisions.push_back({.t_us = t_us + 1, .line = ++line});
  }
  const std::uint32_t job = trace.entities.add("job:llm");
  trace.faults[0].id = trace.faults[1].id = trace.texts.add("f");
  trace.faults[3].id = trace.texts.add("masked");
  trace.counters.push_back({job, trace.texts.add("committed_steps"), {5, 9, 9}, {1, 2, 3}});
  reports::HeaderJob header_job;
  header_job.name = "llm";
  trace.header.jobs.push_back(header_job);
  trace.effects = {{0, 1, 1}, {1, 1, 2}, {1, 1, 3}, {3, 1, 4}};
  return trace;
}

TEST(Find, NextAndPrevious) {
  const Trace trace = sample_faults();
  constexpr auto kNext = Direction::kNext;
  constexpr auto kPrevious = Direction::kPrevious;
  // Before all of a time, and at a record of it.
  EXPECT_EQ(find_fault(trace, {.t_us = 0}, kNext), 0U);
  EXPECT_EQ(find_fault(trace, {.t_us = 10}, kNext), 0U);
  EXPECT_EQ(find_fault(trace, {10, 1}, kNext), 1U);
  EXPECT_EQ(find_fault(trace, {20, 3}, kNext), 2U) << "another of that time";
  EXPECT_EQ(find_fault(trace, {20, 5}, kNext), 3U);
  EXPECT_EQ(find_fault(trace, {30, 7}, kNext), std::nullopt);
  EXPECT_EQ(find_fault(trace, {.t_us = 30}, kPrevious), 2U);
  EXPECT_EQ(find_fault(trace, {20, 5}, kPrevious), 1U);
  EXPECT_EQ(find_fault(trace, {20, 3}, kPrevious), 0U);
  EXPECT_EQ(find_fault(trace, {10, 1}, kPrevious), std::nullopt);
  EXPECT_EQ(find_decision(trace, {20, 3}, kNext), 1U);
  EXPECT_EQ(find_decision(trace, {21, 4}, kNext), 2U);
  EXPECT_EQ(find_checkpoint(trace, 0, 5, kNext), 1U);
  EXPECT_EQ(find_checkpoint(trace, 0, 9, kPrevious), 0U);
  EXPECT_EQ(find_checkpoint(trace, 1, 0, kNext), std::nullopt);
  EXPECT_EQ(find_fault(Trace{}, {}, kNext), std::nullopt);
  EXPECT_EQ(find_fault(Trace{}, {}, kPrevious), std::nullopt);
  Lane lane{0, SubLane::kAttempts, LaneColumns(true)};
  lane.columns.add({7, 9, Kind::kAttempt, 4, 1});
  lane.columns.add({7, 9, Kind::kAttempt, 6, 2});
  EXPECT_EQ(find_span(lane, {6, 0}, kNext), 0U);
  EXPECT_EQ(find_span(lane, {7, 4}, kNext), 1U);
  EXPECT_EQ(find_span(lane, {7, 6}, kNext), std::nullopt);
  EXPECT_EQ(find_span(lane, {7, 6}, kPrevious), 0U);
}

TEST(Find, WhatACounterStoodAt) {
  const Trace trace = sample_faults();
  const Counter* counter = find_counter(trace, 0, "committed_steps");
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(value_at(*counter, 4), std::nullopt);
  EXPECT_EQ(value_at(*counter, 5), 1);
  EXPECT_EQ(value_at(*counter, 8), 1);
  EXPECT_EQ(value_at(*counter, 9), 3);
  EXPECT_EQ(find_counter(trace, 0, "steps"), nullptr);
  EXPECT_EQ(find_counter(trace, 1, "committed_steps"), nullptr);
}

TEST(Find, FaultsAndWhatTheyLedTo) {
  const Trace trace = sample_faults();
  EXPECT_EQ(fault_with_id(trace, *trace.texts.find("f")), 1U) << "the last that fired";
  EXPECT_EQ(fault_with_id(trace, *trace.texts.find("masked")), 3U);
  EXPECT_EQ(fault_with_id(trace, kNoText), std::nullopt);
  EXPECT_EQ(effects_of(trace, 1), std::pair(std::size_t{1}, std::size_t{3}));
  const auto none = effects_of(trace, 2);
  EXPECT_EQ(none.first, none.second);
}

TEST(Find, JobsOfTheHeader) {
  Trace trace = sample_faults();
  const std::uint32_t node = trace.entities.add("node:llm");
  ASSERT_NE(header_job(trace, 0), nullptr);
  EXPECT_EQ(header_job(trace, 0)->name, "llm");
  EXPECT_EQ(header_job(trace, node), nullptr);
  EXPECT_EQ(header_job(trace, kNone), nullptr);
}

TEST(Find, AFaultIsOverWithWhatItBroughtUponWork) {
  Trace trace = sample_faults();
  const auto lane = [&](SubLane sub, std::int64_t begin_us, std::int64_t end_us) {
    trace.lanes.push_back({0, sub, LaneColumns(has_numbers(sub))});
    trace.lanes.back().columns.add({begin_us, end_us, Kind::kUndetected, 0, 0});
  };
  lane(SubLane::kPhases, 10, 17);
  lane(SubLane::kStates, 10, 90);
  lane(SubLane::kPhases, 20, kOpen);
  trace.effects = {{0, 0, 0}, {0, 1, 0}, {1, 2, 0}, {2, 0, 7}};
  trace.faults[3].healed_us = 35;
  EXPECT_EQ(end_of_fault(trace, 0), 17) << "a machine may be away for long";
  EXPECT_EQ(end_of_fault(trace, 1), 20) << "not over yet";
  EXPECT_EQ(end_of_fault(trace, 2), 20) << "a span that is not there";
  EXPECT_EQ(end_of_fault(trace, 3), 35);
}

}  // namespace
}  // namespace aftershock::gui
