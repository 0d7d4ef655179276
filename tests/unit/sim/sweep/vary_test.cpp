#include "sim/sweep/vary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/sweep/keep.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<std::string> values(const std::string& list) {
  const auto parsed = parse_dimension("/a=" + list);
  const auto* dimension = std::get_if<Dimension>(&parsed);
  std::vector<std::string> all;
  if (dimension == nullptr) {
    return {std::get<std::string>(parsed)};
  }
  for (const auto& point : dimension->points) {
    all.push_back(point.at(0));
  }
  return all;
}

TEST(Vary, ListsAndRanges) {
  const struct {
    std::string list;
    std::vector<std::string> values;
  } kRows[] = {
      {"1,2,30min", {"1", "2", "30min"}},
      {"none", {"none"}},
      {R"({"a": [1,2]},"x,y")", {R"({"a": [1,2]})", R"("x,y")"}},
      {"1..4", {"1", "2", "3", "4"}},
      {"10min..14min:2min", {"10min", "12min", "14min"}},
      {"30min..1h:15min", {"30min", "45min", "60min"}},
      {"0.1..0.3:0.1", {"0.1", "0.2", "0.3"}},
      {"1..64:x4", {"1", "4", "16", "64"}},
      {"1s..10s:x3", {"1s", "3s", "9s"}},
      {"5,7..8", {"5", "7", "8"}},
      {"3..3", {"3"}},
      {"s3://a..b", {"s3://a..b"}},
      {"", {""}},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(values(row.list), row.values) << row.list;
  }
}

TEST(Vary, RangesThatCannotBe) {
  for (const char* list :
       {"8..1", "1..8:0", "1..8:-1", "1..8:x1", "0..8:x2", "1min..8", "1..8min", "1min..1GB:1min",
        "1..1e9", "1..x", "1..", "1..8:", "1..8:x", "1..inf", "1min..1h:x2min"}) {
    const auto got = values(list);
    ASSERT_EQ(got.size(), 1) << list;
    EXPECT_THAT(got[0], HasSubstr("expected a range such as")) << list;
  }
}

TEST(Vary, PlacesThatGoTogether) {
  const auto parsed = parse_dimension("/a=1,2,3  /b=x,y,z");
  const auto& dimension = std::get<Dimension>(parsed);
  EXPECT_THAT(dimension.names, ElementsAre("/a", "/b"));
  EXPECT_THAT(dimension.points.at(1), ElementsAre("2", "y"));
}

TEST(Vary, WhatIsNoDimensionIsSaidToBeNone) {
  const std::pair<const char*, const char*> kRows[] = {
      {"", "is empty"},
      {"/a", "is not NAME=VALUE"},
      {"a=1", "JSON Pointer"},
      {"/a=1,2 /b=1", "need as many"},
      {"policy=ray_train,modelarts@", "profile is missing"},
      {"/seed=1,2", "every cell makes the same seeds"},
      {"/a=1,2,1", "has \"1\" more than once"},
      {"/a=1,1 /b=2,2", "has \"1, 2\" more than once"},
  };
  for (const auto& [text, message] : kRows) {
    const auto parsed = parse_dimension(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << text;
    EXPECT_THAT(std::get<std::string>(parsed), HasSubstr(message));
  }
}

TEST(Vary, EveryCombinationTheLastFastest) {
  const Dimension a{{"/a"}, {{"1"}, {"2"}}};
  const Dimension b{{"/b", "/c"}, {{"x", "p"}, {"y", "q"}}};
  const auto points = std::get<0>(combine({a, b}));
  ASSERT_EQ(points.size(), 4);
  EXPECT_THAT(points[1], ElementsAre(Pair("/a", "1"), Pair("/b", "y"), Pair("/c", "q")));
  EXPECT_THAT(points[2], ElementsAre(Pair("/a", "2"), Pair("/b", "x"), Pair("/c", "p")));
  EXPECT_EQ(std::get<0>(combine({})).size(), 1) << "nothing varied: one cell";
  EXPECT_THAT(std::get<1>(combine({a, a})), HasSubstr("/a is varied twice"));
}

TEST(Vary, ConditionsLeaveCellsOut) {
  const Dimension a{{"/a"}, {{"1"}, {"8"}}};
  const Dimension b{{"/b"}, {{"30min"}, {"1h"}}};
  const auto points = std::get<0>(combine({a, b}));
  EXPECT_EQ(std::get<0>(points_where(points, "/a <= 4")).size(), 2);
  EXPECT_EQ(std::get<0>(points_where(points, "/a <= 4 or /b > 45min")).size(), 3);
  EXPECT_THAT(std::get<1>(points_where(points, "/a > 8")), HasSubstr("none of the cells"));
  EXPECT_THAT(std::get<1>(points_where(points, "/c > 8")), HasSubstr("varied place"));
  EXPECT_THAT(std::get<1>(points_where(points, "/a >")), HasSubstr("--where"));
}

TEST(Keep, IsReadOrRefused) {
  EXPECT_TRUE(std::get<Keep>(parse_keep("all")).all());
  EXPECT_EQ(std::get<Keep>(parse_keep("failed")).what, Keep::What::kFailed);
  EXPECT_EQ(std::get<Keep>(parse_keep("worst:5")).count, 5);
  EXPECT_EQ(std::get<Keep>(parse_keep("worst:5:lost_us")).metric,
            *reports::metric_named("lost_us"));
  const std::pair<const char*, const char*> kRows[] = {
      {"", "expected all"},          {"worst", "expected all"},
      {"worst:", "worst:N"},         {"worst:0", "worst:N"},
      {"worst:5x", "worst:N"},       {"worst:5:etr", "did you mean \"ettr\""},
      {"worst:5:wall_us", "neither"}};
  for (const auto& [text, message] : kRows) {
    const auto parsed = parse_keep(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << text;
    EXPECT_THAT(std::get<std::string>(parsed), HasSubstr(message)) << text;
  }
}

TEST(LastName, LeavesOutThePrefixOfAnAnnotation) {
  EXPECT_EQ(last_name("/jobs/0/policy/config/metadata/annotations/fault-tolerance~1pod-retry-num"),
            "pod-retry-num");
  EXPECT_EQ(last_name("/jobs/0/checkpoint/every"), "every");
  EXPECT_EQ(last_name("rates"), "rates");
}

}  // namespace
}  // namespace aftershock::sim::sweep
