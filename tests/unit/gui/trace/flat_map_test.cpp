#include "gui/trace/flat_map.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(FlatMap, IsAMap) {
  // Few keys and many operations, so that runs of full slots are broken up in every way; and keys
  // that are numbered as spans are, that share low bits, and that share high ones.
  constexpr std::uint64_t kSteps[] = {1, 1024, std::uint64_t{1} << 40U, 0x9e3779b97f4a7c15U};
  for (const std::uint64_t step : kSteps) {
    std::mt19937_64 random(1);
    FlatMap<std::uint32_t> map;
    std::map<std::uint64_t, std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 100'000; ++i) {
      const std::uint64_t key = random() % 100 * step;
      if (random() % 2 == 0) {
        EXPECT_EQ(map.set(key, i), !expected.insert_or_assign(key, i).second);
      } else {
        map.erase(key);
        expected.erase(key);
      }
      ASSERT_EQ(map.size(), expected.size());
      const std::uint64_t asked = random() % 100 * step;
      const auto known = expected.find(asked);
      const std::uint32_t* found = map.find(asked);
      ASSERT_EQ(found != nullptr, known != expected.end());
      if (found != nullptr) {
        ASSERT_EQ(*found, known->second);
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::gui
