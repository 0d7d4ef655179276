#include <array>

#include <gtest/gtest.h>

#include "policies/api/config.h"

namespace aftershock::policies {
namespace {

TEST(NearestName, FindsWhatWasProbablyMeant) {
  constexpr std::array<std::string_view, 3> kKnown{"max_failures", "num_to_keep", "fail_fast"};
  EXPECT_EQ(nearest_name("max_failure", kKnown), "max_failures");
  EXPECT_EQ(nearest_name("max_faliures", kKnown), "max_failures");
  EXPECT_EQ(nearest_name("MAX_FAILURES", kKnown), "max_failures");
  EXPECT_EQ(nearest_name("num_keep", kKnown), "num_to_keep");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  constexpr std::array<std::string_view, 2> kKnown{"max_failures", "k"};
  EXPECT_EQ(nearest_name("checkpoint", kKnown), "");
  EXPECT_EQ(nearest_name("", kKnown), "");
  EXPECT_EQ(nearest_name("z", kKnown), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'm'), kKnown), "");
  EXPECT_EQ(nearest_name("max_failures", {}), "");
}

}  // namespace
}  // namespace aftershock::policies
