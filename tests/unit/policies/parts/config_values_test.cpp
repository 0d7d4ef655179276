#include "policies/parts/config_values.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies {
namespace {

using nlohmann::json;

TEST(ConfigValues, Integers) {
  EXPECT_EQ(integer_value(-7), -7);
  EXPECT_EQ(integer_value(7U), 7);
  EXPECT_EQ(integer_value(1.0), std::nullopt);
  EXPECT_EQ(integer_value("1"), std::nullopt);
  EXPECT_EQ(integer_value(std::numeric_limits<std::uint64_t>::max()), std::nullopt);
}

TEST(ConfigValues, SecondsAreExact) {
  struct Row {
    json value;
    DurationUs us;  ///< -1: refused
  };
  const Row rows[] = {{0.1, 100'000}, {"0.1", 100'000}, {10, 10'000'000}, {0, 0},
                      {-1, -1},       {true, -1},       {"soon", -1}};
  for (const Row& row : rows) {
    DurationUs us = -1;
    std::vector<ConfigIssue> errors;
    read_seconds_value("/x", row.value, us, errors);
    EXPECT_EQ(us, row.us) << row.value;
    EXPECT_EQ(errors.size(), row.us < 0 ? 1U : 0U) << row.value;
  }
}

TEST(ConfigValues, NamesAreASet) {
  std::vector<std::string> names;
  std::vector<ConfigIssue> errors;
  read_names("/x", {"b", "a", "b"}, names, errors);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
  read_names("/x", {1}, names, errors);
  read_names("/x", "a", names, errors);
  EXPECT_EQ(errors.size(), 2U);
}

TEST(ConfigValues, Counts) {
  std::optional<std::uint32_t> count;
  std::vector<ConfigIssue> errors;
  read_count("/x", 3, 1, "all", count, errors);
  EXPECT_EQ(count, 3U);
  read_count("/x", nullptr, 1, "all", count, errors);
  EXPECT_EQ(count, std::nullopt);
  read_count("/x", 0, 1, "all", count, errors);
  read_count("/x", 1.5, 1, "all", count, errors);
  EXPECT_EQ(errors.size(), 2U);
}

TEST(ConfigValues, FlagsAndTexts) {
  bool flag = false;
  std::string text;
  std::vector<ConfigIssue> errors;
  read_flag("/x", true, flag, errors);
  read_text("/x", "t", text, errors);
  EXPECT_TRUE(flag);
  EXPECT_EQ(text, "t");
  EXPECT_TRUE(errors.empty());
  read_flag("/x", 1, flag, errors);
  read_text("/x", 1, text, errors);
  EXPECT_EQ(errors.size(), 2U);
}

}  // namespace
}  // namespace aftershock::policies
