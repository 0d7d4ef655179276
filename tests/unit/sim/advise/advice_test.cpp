#include "sim/advise/advice.h"

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

TEST(ShortNames, SayWhatIsChosen) {
  EXPECT_EQ(short_name("/jobs/0/checkpoint/every"), "checkpoint/every");
  EXPECT_EQ(short_name("/jobs/0/policy/config/max_failures"), "max_failures");
  EXPECT_EQ(short_name("/jobs/0/policy/config/backend~1max_restarts"), "max_restarts");
  EXPECT_EQ(short_name("/cluster/pools/0/spares"), "spares");
  EXPECT_EQ(short_name("rates"), "rates");
  EXPECT_EQ(
      choice_label({{"/jobs/0/checkpoint/every", "\"12min\""}, {"/cluster/pools/0/spares", "4"}}),
      "checkpoint/every=12min, spares=4");
}

}  // namespace
}  // namespace aftershock::sim
