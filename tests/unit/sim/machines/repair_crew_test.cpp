#include "sim/machines/repair_crew.h"

#include <gtest/gtest.h>

namespace aftershock::sim::machines {
namespace {

Repair of_node(std::uint32_t node, std::int64_t asked_us) {
  return {.of = RepairOf::kNode, .pool = 0, .node = node, .takes_us = 10, .asked_us = asked_us};
}

TEST(RepairCrew, ServesWhoAskedFirstAndThenTheLowestNode) {
  RepairCrew crew(1);
  crew.ask(of_node(7, 100));
  crew.ask(of_node(5, 200));
  crew.ask(of_node(2, 200));
  crew.ask({.of = RepairOf::kNode, .pool = 1, .node = 0, .takes_us = 10, .asked_us = 200});
  EXPECT_EQ(crew.begin()->node, 7U);
  EXPECT_FALSE(crew.begin()) << "all of the crew is busy";
  EXPECT_TRUE(crew.leave(0, 7));
  EXPECT_EQ(crew.begin()->node, 2U);
  EXPECT_TRUE(crew.leave(0, 2));
  EXPECT_EQ(crew.begin()->node, 5U);
  EXPECT_TRUE(crew.leave(0, 5));
  EXPECT_EQ(crew.begin()->pool, 1U) << "pools in their order";
}

TEST(RepairCrew, ForgetsWhoLeavesTheQueue) {
  RepairCrew crew(1);
  crew.ask(of_node(1, 100));
  crew.ask(of_node(2, 100));
  crew.ask(of_node(3, 100));
  EXPECT_EQ(crew.begin()->node, 1U);
  EXPECT_FALSE(crew.leave(0, 2)) << "it only waited, and frees nobody";
  EXPECT_TRUE(crew.leave(0, 1));
  EXPECT_EQ(crew.begin()->node, 3U);
  EXPECT_FALSE(crew.leave(0, 2));
}

TEST(RepairCrew, KnowsDevicesByTheirFaults) {
  RepairCrew crew(2);
  crew.ask({.of = RepairOf::kDevice, .pool = 0, .node = 1, .fault = 4, .takes_us = 10});
  crew.ask({.of = RepairOf::kDevice, .pool = 0, .node = 1, .fault = 5, .takes_us = 10});
  EXPECT_FALSE(crew.mends_device(4)) << "it waits";
  EXPECT_TRUE(crew.begin());
  EXPECT_TRUE(crew.begin());
  EXPECT_TRUE(crew.leave_device(4));
  EXPECT_FALSE(crew.mends_device(4));
  EXPECT_TRUE(crew.mends_device(5));
  EXPECT_TRUE(crew.leave(0, 1)) << "with its node";
  EXPECT_FALSE(crew.mends_device(5));
}

TEST(RepairCrew, IsAskedOnlyWhereItHasALimit) {
  EXPECT_FALSE(RepairCrew(std::nullopt).limited());
  EXPECT_TRUE(RepairCrew(3).limited());
}

}  // namespace
}  // namespace aftershock::sim::machines
