#include "gui/compare/fault_difference.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

struct StruckBy {
  std::int64_t t_us;
  std::string id;
  std::string kind = "node_crash";
};

Trace run_struck_by(const std::vector<StruckBy>& faults, std::int64_t last_us = 100) {
  Trace trace;
  for (const StruckBy& struck : faults) {
    Fault fault;
    fault.t_us = struck.t_us;
    fault.id = trace.texts.add(struck.id);
    fault.kind = trace.texts.add(struck.kind);
    fault.target = trace.texts.add("node:a");
    trace.faults.push_back(fault);
  }
  trace.last_us = last_us;
  return trace;
}

TEST(FaultDifference, CountsWhatIsInOneRunOnly) {
  const Trace a = run_struck_by({{1, "x"}, {2, "only a"}, {3, "y"}, {4, "z"}});
  const Trace b = run_struck_by({{1, "x"}, {3, "y", "hang"}, {5, "z"}, {6, "only b"}, {7, "x"}});
  const FaultDifference found = compare_faults(a, b);
  EXPECT_EQ(found.same, 1U);
  EXPECT_EQ(found.only_a, std::vector<std::uint32_t>{1});
  EXPECT_EQ(found.only_b, (std::vector<std::uint32_t>{3, 4}));
  EXPECT_EQ(found.changed, (std::vector<FaultPair>{{2, 1}, {3, 2}}));
  EXPECT_FALSE(found.is_same());
  EXPECT_EQ(first_difference(a, b, found), (FaultPair{1, kNone}));
}

TEST(FaultDifference, TheFirstIsTheEarliestOfAnySort) {
  struct Row {
    std::vector<StruckBy> a;
    std::vector<StruckBy> b;
    std::optional<FaultPair> first;
  };
  const std::vector<Row> rows{
      {{}, {}, std::nullopt},
      {{{1, "x"}}, {{1, "x"}}, std::nullopt},
      {{{5, "x"}}, {{2, "y"}}, FaultPair{kNone, 0}},
      {{{9, "x"}, {10, "q"}}, {{2, "x"}}, FaultPair{0, 0}},
      {{{1, "a"}, {9, "x"}}, {{2, "x"}}, FaultPair{0, kNone}},
  };
  for (const Row& row : rows) {
    const Trace a = run_struck_by(row.a);
    const Trace b = run_struck_by(row.b);
    const FaultDifference found = compare_faults(a, b);
    EXPECT_EQ(first_difference(a, b, found), row.first) << row.a.size();
    EXPECT_EQ(found.is_same(), !row.first) << row.a.size();
  }
}

// Which rank runs on a node, and where a rank runs, is up to the policy.
TEST(FaultDifference, APlaceIsATargetOrANode) {
  struct Row {
    const char* target;
    const char* node;
    bool same;
  };
  const auto at = [](const char* target, const char* node) {
    Trace trace = run_struck_by({{1, "x"}});
    trace.faults[0].target = trace.texts.add(target);
    trace.faults[0].entity = *node == 0 ? kNone : trace.entities.add(node);
    return trace;
  };
  const Trace a = at("job:llm/rank:1", "node:1");
  for (const Row& row :
       {Row{"job:llm/rank:1", "node:1", true}, Row{"job:llm/rank:2", "node:1", true},
        Row{"pool:gpu", "node:1", true}, Row{"job:llm/rank:1", "node:2", true},
        Row{"job:llm/rank:2", "node:2", false}, Row{"pool:gpu", "", false}}) {
    EXPECT_EQ(compare_faults(a, at(row.target, row.node)).is_same(), row.same) << row.target;
  }
  EXPECT_FALSE(compare_faults(at("x", ""), at("y", "")).is_same());
}

TEST(FaultDifference, EveryFaultBeforeTheShorterEndIsCountedOnce) {
  std::mt19937 random(7);
  const auto pick = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<StruckBy> lists[2];
    for (auto& list : lists) {
      std::int64_t t_us = 0;
      for (int i = pick(8); i > 0; --i) {
        t_us += pick(3);
        list.push_back({t_us, std::string(1, static_cast<char>('a' + pick(3)))});
      }
    }
    const Trace a = run_struck_by(lists[0], 8);
    const Trace b = run_struck_by(lists[1], 6);
    const FaultDifference found = compare_faults(a, b);
    const auto until = [](const std::vector<StruckBy>& list) {
      return static_cast<std::size_t>(
          std::ranges::count_if(list, [](const StruckBy& each) { return each.t_us <= 6; }));
    };
    // A pair of which one half is later counts for the other.
    EXPECT_LE(found.same + found.changed.size() + found.only_a.size(), lists[0].size());
    EXPECT_GE(found.same + found.changed.size() + found.only_a.size(), until(lists[0]));
    EXPECT_GE(found.same + found.changed.size() + found.only_b.size(), until(lists[1]));
    EXPECT_TRUE(compare_faults(a, a).is_same());
    EXPECT_EQ(compare_faults(b, b).same, until(lists[1]));
  }
}

}  // namespace
}  // namespace aftershock::gui
