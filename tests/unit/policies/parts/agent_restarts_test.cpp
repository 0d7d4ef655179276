#include "policies/parts/agent_restarts.h"

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

TEST(AgentRestarts, EachAgentCountsForItself) {
  AgentRestarts restarts{.ranks_each = 2, .limit = 1};
  EXPECT_FALSE(restarts.charge(RankSet::range(0, 1), 0, ChargeCause::kApplication).exhausted);
  const BudgetMove other = restarts.charge(RankSet::range(3, 4), 0, ChargeCause::kApplication);
  EXPECT_EQ(other.used, 2);
  EXPECT_EQ(other.limit, 2);
  EXPECT_FALSE(other.exhausted);
  EXPECT_TRUE(restarts.exhausted_by(RankSet::range(2, 3)));
  EXPECT_FALSE(restarts.exhausted_by(RankSet::range(4, 5)));
  EXPECT_TRUE(restarts.charge(RankSet::range(1, 2), 0, ChargeCause::kApplication).exhausted);
}

// Ranks 1 to 4 are of the agents 0, 1 and 2: one interval pays once for each.
TEST(AgentRestarts, RanksOfAnAgentPayOnce) {
  AgentRestarts restarts{.ranks_each = 2, .limit = 5};
  RankSet ranks = RankSet::range(1, 5);
  ranks.add(5, 6);
  EXPECT_EQ(restarts.charge(ranks, 0, ChargeCause::kHang).used, 3);
  EXPECT_EQ(restarts.used, (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(AgentRestarts, WhatIsExemptCountsNothing) {
  AgentRestarts restarts{.ranks_each = 2, .limit = 3};
  const BudgetMove move = restarts.exempt(0, ChargeCause::kNode);
  EXPECT_TRUE(move.exempt);
  EXPECT_EQ(move.used, 0);
  EXPECT_EQ(restarts.left(), 3);
}

}  // namespace
}  // namespace aftershock::policies
