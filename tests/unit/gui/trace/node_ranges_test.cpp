#include "gui/trace/node_ranges.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(NodeRanges, AreReadInTheirOrder) {
  std::vector<NodeRange> ranges{{7, 7}};
  EXPECT_TRUE(append_node_ranges(ranges, "0-3,9,5-6"));
  EXPECT_EQ(ranges, (std::vector<NodeRange>{{7, 7}, {0, 3}, {9, 9}, {5, 6}}));
  EXPECT_TRUE(append_node_ranges(ranges, ""));
  EXPECT_EQ(ranges.size(), 4U);
}

TEST(NodeRanges, OfAnyOtherTextAreNone) {
  for (const char* text : {"a", "-1", "1-", "3-1", "1,", ",1", "1 2", "1--2", "4294967296", "1,2,x",
                           "0-99999999999", "1-2-3"}) {
    std::vector<NodeRange> ranges{{7, 7}};
    EXPECT_FALSE(append_node_ranges(ranges, text)) << text;
    EXPECT_EQ(ranges.size(), 1U) << text;
  }
}

}  // namespace
}  // namespace aftershock::gui
