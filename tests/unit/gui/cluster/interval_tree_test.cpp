#include "gui/cluster/interval_tree.h"

#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(IntervalTree, FindsThoseThatChangeAndNoOthers) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 64U, 100U}) {
    IntervalTree tree(count);
    std::mt19937_64 random(count);
    std::vector<std::pair<std::int64_t, std::int64_t>> stays(count, {1, 0});
    for (int round = 0; round < 200; ++round) {
      const auto t_us = static_cast<std::int64_t>(random() % 100);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (t_us < stays[i].first || t_us >= stays[i].second) {
          expected.push_back(i);
        }
      }
      std::vector<std::uint32_t> found;
      tree.changed_at(t_us, found);
      ASSERT_EQ(found, expected) << count << " things, round " << round;
      for (const std::uint32_t i : found) {
        stays[i] = {t_us - static_cast<std::int64_t>(random() % 20),
                    t_us + 1 + static_cast<std::int64_t>(random() % 20)};
        tree.set(i, stays[i].first, stays[i].second);
      }
    }
    tree.forget();
    std::vector<std::uint32_t> all;
    tree.changed_at(50, all);
    EXPECT_EQ(all.size(), count);
  }
}

TEST(IntervalTree, HasNoEndOfTime) {
  IntervalTree tree(1);
  tree.set(0, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  std::vector<std::uint32_t> found;
  tree.changed_at(std::numeric_limits<std::int64_t>::max(), found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace aftershock::gui
