#include "policies/api/view.h"

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

TEST(View, FoldsTheLastWordOnANode) {
  View view(Inventory{.nodes = {{"gpu", "gpu-", 0, 1}, {"gpu", "gpu-spare-", 0, 1}}, .jobs = {}});
  EXPECT_EQ(view.node_count(), 2U);
  EXPECT_TRUE(view.reachable(1));
  view.apply(NodeUnreachable{1, false});
  EXPECT_FALSE(view.reachable(1));
  EXPECT_TRUE(view.reachable(0));
  view.apply(NodeJoined{1});
  EXPECT_TRUE(view.reachable(1));
}

TEST(View, IgnoresNodesOutsideTheInventory) {
  View view;
  view.apply(NodeUnreachable{7, false});
  view.apply(NodeJoined{8});
  EXPECT_TRUE(view.reachable(7));
}

}  // namespace
}  // namespace aftershock::policies
