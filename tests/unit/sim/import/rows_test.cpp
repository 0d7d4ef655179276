#include "sim/import/rows.h"

#include <gtest/gtest.h>

namespace aftershock::sim::imports {
namespace {

/// Cells between bars, rows between semicolons, each with its line.
std::string shown(std::string_view text) {
  std::string out;
  const auto problem = for_rows(text, "t.csv", [&](const Row& row) {
    out += (out.empty() ? "" : ";") + std::to_string(row.line) + ":";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      out += (i == 0 ? "" : "|") + row.cells[i].text;
    }
    return true;
  });
  return problem ? "error " + scenario::format(*problem) : out;
}

TEST(Rows, AreReadAsRfc4180HasThem) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"a,b\nc,d\n", "1:a|b;2:c|d"},
      {"a,b", "1:a|b"},
      {"a,b\r\nc\r\n", "1:a|b;2:c"},
      {"\xEF\xBB\xBF"
       "a,b\n",
       "1:a|b"},
      {" a , b\t\n", "1:a|b"},
      {"a,\n\n# no\nb,,c\n", "1:a|;4:b||c"},
      {"\"a,b\",\"say \"\"yes\"\"\"\n", "1:a,b|say \"yes\""},
      {"\"two\nlines\",x\ny\n", "1:two\nlines|x;3:y"},
      {"\" kept \",b\n", "1: kept |b"},
      {"h\xC3\xA4,b\n", "1:h\xC3\xA4|b"},
      {"a,\"b\n\nc", "error t.csv:1:3: this quote is never closed; expected a second quote"},
      {std::string("ok\na,\0b\n", 8), "error t.csv:2:3: a NUL byte; expected text"},
      {"h\xC3\xA4\xFF\n",
       "error t.csv:1:3: what is here is not UTF-8; expected a text file in UTF-8"},
  };
  for (const auto& [text, rows] : cases) {
    EXPECT_EQ(shown(text), rows);
  }
}

TEST(Rows, AHostileWidthIsAnError) {
  EXPECT_EQ(shown(std::string(1'000'000, ',')),
            "error t.csv:1:64: more than 64 columns; expected a table of a few");
}

}  // namespace
}  // namespace aftershock::sim::imports
