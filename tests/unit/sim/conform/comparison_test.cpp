#include "sim/conform/comparison.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace aftershock::sim::conform {
namespace {

ComparedRun run_of(std::size_t of, std::uint64_t seed, const std::vector<Kind>& kinds) {
  ComparedRun run{.of = of, .seed = seed, .counts = {.decisions = 3, .charges = 1}, .differences{}};
  for (const Kind kind : kinds) {
    run.differences.push_back({.kind = kind, .pointer = "/x", .port = 1, .installed = 2});
  }
  return run;
}

struct Row {
  const char* name;
  Known known;
  std::vector<std::vector<Kind>> runs;  ///< of one case, their differences by seed from 1
  bool whole;
  std::vector<std::size_t> beyond;
  std::string stale;  ///< "none", "all", or names of kinds
};

class Compared : public testing::TestWithParam<Row> {};

TEST_P(Compared, IsHeldAgainstTheList) {
  const Row& row = GetParam();
  const std::vector<Case> cases{
      {.scenario = "a.json", .seeds = 0, .sequences = 0, .known = row.known}};
  std::vector<ComparedRun> runs;
  for (const auto& kinds : row.runs) {
    runs.push_back(run_of(0, runs.size() + 1, kinds));
  }
  const Comparison made = compare_runs(cases, runs, row.whole);
  EXPECT_EQ(made.scenarios, 1U);
  EXPECT_EQ(made.runs, row.runs.size());
  EXPECT_EQ(made.counts.decisions, 3 * row.runs.size());
  EXPECT_EQ(made.beyond, row.beyond);
  std::string stale = made.stale.empty() ? "none" : made.stale[0].kinds.empty() ? "all" : "";
  for (const Kind kind : made.stale.empty() ? std::vector<Kind>() : made.stale[0].kinds) {
    stale += std::string(name_of(kind));
  }
  EXPECT_EQ(stale, row.stale);
  EXPECT_EQ(made.as_listed(), row.beyond.empty() && row.stale == "none");
}

const Known kNothing;
const Known kAny{.why = "late", .kinds = {}};
const Known kTimeAlone{.why = "late", .kinds = {Kind::kTime}};

INSTANTIATE_TEST_SUITE_P(
    Rows, Compared,
    testing::Values(
        Row{"alike", kNothing, {{}, {}}, true, {}, "none"},
        Row{"not_listed", kNothing, {{}, {Kind::kTime}}, true, {1}, "none"},
        Row{"listed", kAny, {{Kind::kCharges, Kind::kTime}}, true, {}, "none"},
        Row{"listed_for_time_alone", kTimeAlone, {{Kind::kTime}}, true, {}, "none"},
        Row{"time_hides_no_charge", kTimeAlone, {{Kind::kCharges, Kind::kTime}}, true, {0}, "none"},
        Row{"one_seed_shows_it", kTimeAlone, {{}, {Kind::kTime}}, true, {}, "none"},
        Row{"stale", kAny, {{}, {}}, true, {}, "all"},
        Row{"stale_kind", kTimeAlone, {{Kind::kWork}}, true, {0}, "time"},
        Row{"part_of_a_list_is_not_stale", kAny, {{}}, false, {}, "none"}),
    [](const auto& row) { return row.param.name; });

TEST(Comparison, TellsAFirstDifferenceThatIsNotListedBeforeOneThatIs) {
  const std::vector<Case> cases{{.scenario = "a.json", .seeds = 0, .sequences = 0, .known = kAny},
                                {.scenario = "b.json", .seeds = 0, .sequences = 0, .known = {}}};
  const std::vector<ComparedRun> runs{run_of(0, 1, {Kind::kTime}), run_of(1, 5, {Kind::kTime}),
                                      run_of(1, 6, {Kind::kTime})};
  const Comparison made = compare_runs(cases, runs, true);
  const KindTally& time = made.kinds.at(Kind::kTime);
  EXPECT_EQ(time.differ, 3U);
  EXPECT_EQ(time.known, 1U);
  ASSERT_TRUE(time.first.has_value());
  EXPECT_EQ(time.first->seed, 5U);
  EXPECT_FALSE(time.first->known);
  EXPECT_EQ(made.differ, 3U);
}

TEST(Kind, HasANameThatIsRead) {
  for (const Kind kind : kKinds) {
    EXPECT_EQ(kind_named(name_of(kind)), kind);
  }
  EXPECT_EQ(kind_named("times"), std::nullopt);
}

}  // namespace
}  // namespace aftershock::sim::conform
