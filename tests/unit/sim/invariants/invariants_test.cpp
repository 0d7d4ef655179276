#include "sim/invariants/invariants.h"

#include <set>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/invariants/job_book.h"

namespace aftershock::sim::invariants {
namespace {

// The ids of chaos.md 5.3 and 5.4: 25 of safety, 11 of liveness.
TEST(Invariants, AreThoseOfTheReference) {
  ASSERT_EQ(invariants().size(), 36U);
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(invariants()[i].id,
              i < 25 ? fmt::format("S{:02}", i + 1) : fmt::format("L{}", i - 24));
    EXPECT_FALSE(invariants()[i].sentence.empty() || invariants()[i].look.empty());
  }
}

TEST(Invariants, AreFoundById) {
  ASSERT_NE(find_invariant("S07"), nullptr);
  EXPECT_EQ(find_invariant("S07")->id, "S07");
  EXPECT_EQ(find_invariant("S7"), nullptr);
  EXPECT_EQ(find_invariant(""), nullptr);
}

TEST(UsedIds, AreTakenOnce) {
  UsedIds ids;
  for (const std::uint64_t id : {1U, 2U, 3U, 7U, 4U, 1000U, 5U, 8U}) {
    EXPECT_TRUE(ids.take(id)) << id;
  }
  for (const std::uint64_t id : {1U, 3U, 4U, 5U, 7U, 8U, 1000U}) {
    EXPECT_FALSE(ids.take(id)) << id;
  }
  EXPECT_TRUE(ids.take(6));
  EXPECT_TRUE(ids.take(0));
  EXPECT_FALSE(ids.take(1));
}

}  // namespace
}  // namespace aftershock::sim::invariants
