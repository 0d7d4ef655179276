#include "reports/render/table.h"

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

std::string narrow(bool distinct, std::vector<std::string> names) {
  Table table({{Table::Align::kLeft, true, 8, distinct}, {Table::Align::kRight}});
  for (std::string& name : names) {
    table.row({std::move(name), "1"});
  }
  Style style;
  style.width = 12;
  return table.text(style, 0);
}

TEST(Table, AnElasticColumnGivesWay) {
  EXPECT_EQ(narrow(false, {"max_failures=0, spares=0", "x"}), "max...s=0  1\nx          1\n");
}

// What tells two lines apart is not to be cut out of both.
TEST(Table, DistinctCellsStayDistinct) {
  EXPECT_EQ(narrow(true, {"max_failures=0, spares=0", "max_failures=0, spares=5"}),
            "max...s=0  1\nmax...s=5  1\n");
  const std::string wide = narrow(true, {"max_failures=0, spares=0", "max_failures=3, spares=0"});
  EXPECT_NE(wide.find("max_failures=0"), std::string::npos) << wide;
  EXPECT_NE(wide.find("max_failures=3"), std::string::npos) << wide;
}

}  // namespace
}  // namespace aftershock::reports
