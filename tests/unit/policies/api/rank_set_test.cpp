#include "policies/api/rank_set.h"

#include <initializer_list>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

using Intervals = std::vector<RankSet::Interval>;

Intervals intervals_of(const RankSet& set) {
  return {set.intervals().begin(), set.intervals().end()};
}

TEST(RankSet, MergesWhatTouchesOrOverlaps) {
  RankSet set;
  set.add(8, 12);
  set.add(0, 4);
  EXPECT_EQ(intervals_of(set), (Intervals{{0, 4}, {8, 12}}));
  set.add(4, 6);
  EXPECT_EQ(intervals_of(set), (Intervals{{0, 6}, {8, 12}}));
  set.add(5, 9);
  EXPECT_EQ(intervals_of(set), (Intervals{{0, 12}}));
  set.add(3, 3);
  set.add(9, 2);
  EXPECT_EQ(intervals_of(set), (Intervals{{0, 12}}));
}

TEST(RankSet, EmptyHasNothing) {
  const RankSet set = RankSet::range(5, 5);
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.size(), 0U);
  EXPECT_FALSE(set.contains(5));
}

TEST(RankSet, ReachesTheHighestRank) {
  const RankSet set = RankSet::range(0, 0xFFFFFFFFU);
  EXPECT_EQ(set.size(), 0xFFFFFFFFU);
  EXPECT_TRUE(set.contains(0xFFFFFFFEU));
}

TEST(RankSet, AgreesWithASetOfNumbers) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    RankSet set;
    std::set<Rank> model;
    for (int step = 0; step < 12; ++step) {
      const Rank first = static_cast<Rank>(random() % 40);
      const Rank end = first + static_cast<Rank>(random() % 6);
      set.add(first, end);
      for (Rank rank = first; rank < end; ++rank) {
        model.insert(rank);
      }
    }
    RankSet backwards;
    for (auto rank = model.rbegin(); rank != model.rend(); ++rank) {
      backwards.add(*rank, *rank + 1);
    }
    EXPECT_EQ(set, backwards) << "a set is the same however it came about";
    EXPECT_EQ(set.size(), model.size());
    for (Rank rank = 0; rank < 50; ++rank) {
      EXPECT_EQ(set.contains(rank), model.contains(rank));
    }
    for (std::size_t index = 1; index < set.intervals().size(); ++index) {
      EXPECT_GT(set.intervals()[index].first, set.intervals()[index - 1].end);
    }
  }
}

TEST(RankSet, SharesAndLeavesOutWhatAnotherHolds) {
  struct Row {
    RankSet a;
    RankSet b;
    RankSet shared;
    RankSet left;
  };
  const auto set = [](std::initializer_list<std::pair<Rank, Rank>> ranges) {
    RankSet ranks;
    for (const auto& [first, end] : ranges) {
      ranks.add(first, end);
    }
    return ranks;
  };
  const Row rows[] = {
      {set({{0, 8}}), set({}), set({}), set({{0, 8}})},
      {set({}), set({{0, 8}}), set({}), set({})},
      {set({{0, 8}}), set({{0, 8}}), set({{0, 8}}), set({})},
      {set({{0, 8}}), set({{2, 3}, {5, 9}}), set({{2, 3}, {5, 8}}), set({{0, 2}, {3, 5}})},
      {set({{0, 4}, {6, 9}}), set({{3, 7}}), set({{3, 4}, {6, 7}}), set({{0, 3}, {7, 9}})},
      {set({{0, 4}, {6, 9}}), set({{4, 6}}), set({}), set({{0, 4}, {6, 9}})},
      {set({{1, 2}, {4, 5}}), set({{0, 9}}), set({{1, 2}, {4, 5}}), set({})},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.a.shared_with(row.b), row.shared);
    EXPECT_EQ(row.a.overlaps(row.b), !row.shared.empty());
    EXPECT_EQ(row.a.without(row.b), row.left);
  }
}

}  // namespace
}  // namespace aftershock::policies
