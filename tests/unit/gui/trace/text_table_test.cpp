#include "gui/trace/text_table.h"

#include <string>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(TextTable, HasEveryTextOnceAndUnchanged) {
  TextTable table;
  EXPECT_EQ(table.find("a"), std::nullopt);
  constexpr TextId kMany = 5000;
  for (int round = 0; round < 2; ++round) {
    for (TextId i = 0; i < kMany; ++i) {
      // Also empty, long, and with bytes that do not form text.
      EXPECT_EQ(table.add(std::string(i % 50, '\xff') + std::to_string(i / 50)), i);
    }
  }
  EXPECT_EQ(table.add(""), kMany);
  EXPECT_EQ(table.size(), kMany + 1U);
  EXPECT_EQ(table.find(std::string(49, '\xff') + "3"), 199U);
  EXPECT_EQ(table[199], std::string(49, '\xff') + "3");
  EXPECT_EQ(table[kMany], "");
  EXPECT_EQ(table.find("\xff"), std::nullopt);
  EXPECT_EQ(table[kNoText], "");
  EXPECT_EQ(table[kMany + 1], "");
}

}  // namespace
}  // namespace aftershock::gui
