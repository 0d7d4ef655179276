#include "gui/scene/out_count.h"

#include <vector>

#include <gtest/gtest.h>

#include "gui/trace/find.h"

namespace aftershock::gui {
namespace {

struct Node {
  std::vector<std::int64_t> begin_us;
  std::vector<std::int64_t> end_us;
  std::vector<Kind> kind;

  [[nodiscard]] LaneSpans spans() const { return {begin_us, end_us, kind}; }
};

TEST(OutCount, CountsEachNodeOnceAsLongAsItIsOut) {
  // Isolated while it is repaired; one that is slow is in service; one that never comes back.
  const Node first{{10, 20, 50}, {30, 40, 60}, {Kind::kIsolated, Kind::kRepairing, Kind::kDown}};
  const Node second{{0, 25}, {100, 35}, {Kind::kSlow, Kind::kDown}};
  const Node third{{55}, {kOpen}, {Kind::kDown}};
  const std::vector<LaneSpans> nodes{first.spans(), second.spans(), third.spans()};
  const auto out = count_out(nodes, 8, 100);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->of, 8);
  const std::pair<std::int64_t, std::int64_t> told[] = {{0, 0},  {9, 0},  {10, 1}, {24, 1},
                                                        {25, 2}, {34, 2}, {35, 1}, {40, 0},
                                                        {50, 1}, {55, 2}, {60, 1}, {999, 1}};
  for (const auto& [t_us, value] : told) {
    EXPECT_EQ(value_at(out->samples, t_us), value) << t_us;
  }
  EXPECT_FALSE(count_out(nodes, 8, 5)) << "too many to count";
}

TEST(OutCount, OfAPoolOrARackAndOfNothingElse) {
  Directory directory;
  directory.pools.push_back(
      {.name = "gpu", .racks = 3, .accelerators = 8, .slots = 10, .nodes = {}});
  const auto of = [&](LaneKey key) { return nodes_of(directory, key).value_or(-1); };
  LaneKey key{.section = Section::kPools, .group = 0};
  EXPECT_EQ(of(key), 10);
  std::int64_t all = 0;
  for (key.rack = 0; key.rack < 3; ++key.rack) {
    std::int64_t slots = 0;
    for (std::int64_t slot = 0; slot < 10; ++slot) {
      slots += rack_of(directory.pools[0], slot) == key.rack ? 1 : 0;
    }
    EXPECT_EQ(of(key), slots) << key.rack;
    all += of(key);
  }
  EXPECT_EQ(all, 10);
  key.rack = 0;
  key.node = 0;
  EXPECT_EQ(of(key), -1);
  EXPECT_EQ(of({.section = Section::kJobs, .group = 0}), -1);
  EXPECT_EQ(of({.section = Section::kPools, .group = 7}), -1);
}

}  // namespace
}  // namespace aftershock::gui
