#include "gui/view/time_range.h"

#include <random>

#include <gtest/gtest.h>

#include "gui/view/view_state.h"

namespace aftershock::gui {
namespace {

// Limits -1000 .. 33000.
constexpr TimeRange kWholeRun{0, 32'000};

TEST(TimeRange, Limits) {
  EXPECT_EQ(limits_of(kWholeRun), (TimeRange{-1'000, 33'000}));
  EXPECT_EQ(limits_of({0, 0}), (TimeRange{-1, 2}));
  EXPECT_EQ(limits_of({5, 6}), (TimeRange{4, 7}));
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(limits_of({-far, far}), (TimeRange{-kFurthest_us, kFurthest_us}));
}

TEST(TimeRange, PointedTimesAreAsRoundAsAPixel) {
  const struct {
    std::int64_t t_us;
    double us_a_pixel;
    std::int64_t pointed_us;
  } table[] = {
      {1'234'567, 0.01, 1'234'567},         {1'234'567, 9.9, 1'234'567},
      {1'234'567, 10, 1'234'570},           {1'234'567, 99'999, 1'230'000},
      {1'234'567, 3e6, 1'000'000},          {29'999'999, 60e6, 0},
      {30'000'000, 60e6, 60'000'000},       {-30'000'000, 60e6, -60'000'000},
      {5'400'000'000, 1e10, 7'200'000'000},
  };
  for (const auto& each : table) {
    EXPECT_EQ(pointed_us(each.t_us, each.us_a_pixel), each.pointed_us)
        << each.t_us << " at " << each.us_a_pixel;
  }
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_LE(std::abs(pointed_us(far, 1e18) - kFurthest_us), std::int64_t{86'400'000'000});
}

TEST(TimeRange, Zoom) {
  const struct {
    TimeRange from;
    std::int64_t about;
    double factor;
    TimeRange to;
  } table[] = {
      {{0, 1'000}, 500, 2, {250, 750}},
      {{0, 1'000}, 0, 2, {0, 500}},
      {{0, 1'000}, 1'000, 2, {500, 1'000}},
      // Three quarters of 500 remain left of what stood at three quarters.
      {{0, 1'000}, 750, 2, {375, 875}},
      {{0, 1'000}, 500, 0.5, {-500, 1'500}},
      {{0, 1'000}, 0, 0.1, {0, 10'000}},
      // The left border is at the limit.
      {{0, 1'000}, 1'000, 0.1, {-1'000, 9'000}},
      {kWholeRun, 16'000, 0.001, {-1'000, 33'000}},
      {{0, 1'000}, 500, 1e300, {500, 501}},
      {{500, 501}, 500, 2, {500, 501}},
      // Too little for a microsecond: it is one all the same.
      {{500, 502}, 500, 1.01, {500, 501}},
      {{500, 501}, 500, 0.99, {500, 502}},
      {{0, 1'000}, 500, 1, {0, 1'000}},
      {{0, 1'000}, 500, 0, {0, 1'000}},
      {{0, 1'000}, 500, -3, {0, 1'000}},
  };
  for (const auto& row : table) {
    EXPECT_EQ(zoomed(row.from, row.about, row.factor, kWholeRun), row.to)
        << row.from.end_us << " " << row.about << " " << row.factor;
  }
}

TEST(TimeRange, MovesAndFits) {
  const TimeRange shown{10'000, 12'000};
  EXPECT_EQ(panned(shown, 0.25, kWholeRun), (TimeRange{10'500, 12'500}));
  EXPECT_EQ(panned(shown, -1, kWholeRun), (TimeRange{8'000, 10'000}));
  EXPECT_EQ(panned(shown, -100, kWholeRun), (TimeRange{-1'000, 1'000}));
  EXPECT_EQ(panned(shown, 0, kWholeRun), shown);
  EXPECT_EQ(panned_us(shown, 1'000'000, kWholeRun), (TimeRange{31'000, 33'000}));
  EXPECT_EQ(centred(shown, {20'000, 20'002}, kWholeRun), (TimeRange{19'001, 21'001}));
  EXPECT_EQ(fitted(shown, {16'000, 17'600}, kWholeRun), (TimeRange{15'900, 17'700}));
  EXPECT_EQ(fitted(shown, kWholeRun, kWholeRun), (TimeRange{-1'000, 33'000}));
  // An instant: a tenth of what is shown, or a second of more.
  EXPECT_EQ(fitted(shown, {11'000, 11'000}, kWholeRun), (TimeRange{10'900, 11'100}));
  EXPECT_EQ(fitted({0, 90'000'000}, {50'000'000, 50'000'000}, {0, 90'000'000}),
            (TimeRange{49'500'000, 50'500'000}));
  EXPECT_EQ(showing(shown, 11'999, kWholeRun), shown);
  EXPECT_EQ(showing(shown, 12'000, kWholeRun), (TimeRange{10'001, 12'001}));
  EXPECT_EQ(showing(shown, 9'000, kWholeRun), (TimeRange{9'000, 11'000}));
}

TEST(TimeRange, NothingLeavesTheLimits) {
  std::mt19937_64 engine(3);
  const auto below = [&](std::int64_t count) {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(count));
  };
  for (int i = 0; i < 20'000; ++i) {
    const TimeRange run{below(100) - 50, 51 + below(std::int64_t{1} << (6 + below(56)))};
    TimeRange shown = run;
    for (int k = 0; k < 8; ++k) {
      const std::int64_t at = shown.begin_us + below(shown.end_us - shown.begin_us);
      const double factor = static_cast<double>(below(4000)) / 1000.0;
      shown = k % 2 == 0 ? zoomed(shown, at, factor, run) : panned(shown, factor - 2.0, run);
      const TimeRange limits = limits_of(run);
      ASSERT_LT(shown.begin_us, shown.end_us);
      ASSERT_GE(shown.begin_us, limits.begin_us);
      ASSERT_LE(shown.end_us, limits.end_us);
    }
  }
}

TEST(TimeRange, WhatIsPointedAtStaysUnderThePointer) {
  const TimeRange run{0, 31'557'600'000'000};
  TimeRange shown = run;
  const std::int64_t about = 12'345'678'901'234;
  const double where = static_cast<double>(about) / static_cast<double>(run.end_us);
  while (shown.end_us - shown.begin_us > 1000) {
    shown = zoomed(shown, about, 1.25, run);
    const double now = static_cast<double>(about - shown.begin_us) /
                       static_cast<double>(shown.end_us - shown.begin_us);
    ASSERT_NEAR(now, where, 0.05);
    ASSERT_LE(shown.begin_us, about);
    ASSERT_GT(shown.end_us, about);
  }
}

TEST(History, GoesBackAndForward) {
  History<int> history(1, 4);
  EXPECT_FALSE(history.can_back());
  EXPECT_EQ(history.back(), 1);
  history.go(2);
  history.go(2);
  history.go(3);
  EXPECT_EQ(history.back(), 2);
  EXPECT_TRUE(history.can_forward());
  EXPECT_EQ(history.back(), 1);
  EXPECT_FALSE(history.can_back());
  EXPECT_EQ(history.forward(), 2);
  history.go(7);
  EXPECT_FALSE(history.can_forward());
  EXPECT_EQ(history.forward(), 7);
  // A drag: only its end is kept.
  history.go(8);
  history.go(9, true);
  history.go(10, true);
  EXPECT_EQ(history.back(), 7);
  EXPECT_EQ(history.forward(), 10);
  // Four are kept: 7, 10, 11, 12.
  history.go(11);
  history.go(12);
  history.back();
  history.back();
  EXPECT_EQ(history.back(), 7);
  EXPECT_FALSE(history.can_back());
}

TEST(ViewState, IsUndone) {
  ViewState view;
  view.shown = kWholeRun;
  const ViewState before = view;
  History<ViewState> views(view);
  view.shown = zoomed(view.shown, 0, 4, kWholeRun);
  set_all_open(view.lanes, true);
  view.selection = Selection{.lane = LaneKey{}, .time = {3, 4}};
  views.go(view);
  EXPECT_EQ(views.back(), before);
  EXPECT_EQ(views.forward(), view);
}

}  // namespace
}  // namespace aftershock::gui
