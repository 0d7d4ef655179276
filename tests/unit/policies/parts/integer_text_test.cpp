#include "policies/parts/integer_text.h"

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

TEST(IntegerText, IsADecimalIntegerAndNothingElse) {
  struct Row {
    std::string_view text;
    std::optional<std::int64_t> value;
  };
  const Row rows[] = {
      {"0", 0},    {"8", 8},    {"-1", -1}, {"007", 7},  {"9223372036854775807", INT64_MAX},
      {"", {}},    {" 8", {}},  {"8 ", {}}, {"+8", {}},  {"9223372036854775808", {}},
      {"8.0", {}}, {"1e3", {}}, {"x", {}},  {"0x8", {}}, {"-", {}}};
  for (const Row& row : rows) {
    EXPECT_EQ(integer_from_text(row.text), row.value) << row.text;
  }
}

}  // namespace
}  // namespace aftershock::policies
