#include "sim/scenario/keys/default_of.h"

#include <gtest/gtest.h>

namespace aftershock::sim::scenario {
namespace {

TEST(DefaultOf, FollowsAPointerThroughListsAndChoices) {
  const struct {
    const char* pointer;
    const char* value;
  } rows[] = {
      {"/seed", "1"},
      {"/cluster/pools/0/spares", "0"},
      {"/cluster/pools/12/spares", "0"},
      {"/cluster/heartbeat/every", "\"5s\""},
      {"/jobs/0/checkpoint/every", ""},
      {"/jobs/0/policy/config/max_failures", ""},
      {"/cluster/pools", ""},
      {"/nothing/of/this", ""},
      {"/cluster/pools/0/spares/deeper", ""},
      {"", ""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(default_of(row.pointer), row.value) << row.pointer;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
