#include "gui/compare/fault_pairs.h"

#include <initializer_list>
#include <string_view>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

struct StruckAt {
  std::int64_t t_us;
  std::string_view id;
  std::string_view target = "node:a";
};

Trace run_struck_at(std::initializer_list<StruckAt> faults, std::int64_t last_us) {
  Trace trace;
  for (const StruckAt& struck : faults) {
    Fault fault;
    fault.t_us = struck.t_us;
    fault.id = trace.texts.add(struck.id);
    fault.kind = trace.texts.add("node_crash");
    fault.target = trace.texts.add(struck.target);
    trace.faults.push_back(fault);
  }
  trace.last_us = last_us;
  return trace;
}

TEST(FaultPairs, TheNthOfAnIdIsTheNth) {
  const Trace a = run_struck_at({{1, "x"}, {2, "y"}, {3, "x"}, {4, "z"}}, 9);
  const Trace b = run_struck_at({{1, "y"}, {2, "x"}}, 9);
  const std::vector<FaultPair> pairs{{0, 1}, {1, 0}};
  EXPECT_EQ(pair_faults(a, b), pairs);
  EXPECT_TRUE(pair_faults(a, Trace{}).empty());
}

TEST(FaultPairs, TheSameFaultsAreTheSameUntilTheShorterRunEnds) {
  const Trace a = run_struck_at({{1, "x"}, {5, "y"}}, 9);
  EXPECT_TRUE(same_faults(a, run_struck_at({{1, "x"}, {5, "y"}}, 20)));
  EXPECT_TRUE(same_faults(a, run_struck_at({{1, "x"}}, 4)));
  EXPECT_FALSE(same_faults(a, run_struck_at({{1, "x"}}, 5)));
  EXPECT_FALSE(same_faults(a, run_struck_at({{2, "x"}, {5, "y"}}, 9)));
  EXPECT_FALSE(same_faults(a, run_struck_at({{1, "x", "node:b"}, {5, "y"}}, 9)));
  EXPECT_FALSE(same_faults(a, run_struck_at({{1, "z"}, {5, "y"}}, 9)));
}

}  // namespace
}  // namespace aftershock::gui
