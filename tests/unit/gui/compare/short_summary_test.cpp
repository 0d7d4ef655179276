#include "gui/compare/short_summary.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(ShortSummary, LeavesOutWhatGrowsWithARun) {
  struct Row {
    const char* json;
    const char* left;
  };
  for (const Row& row : {
           Row{"", ""},
           Row{R"({"jobs":[{"name":"x","recoveries":[{"rules":["a"]},[[1]]],"ettr":0.5}]})",
               R"({"jobs":[{"name":"x","recoveries":[],"ettr":0.5}]})"},
           Row{R"({"charges":["]",{"x":"\"]"}],"used":3})", R"({"charges":[],"used":3})"},
           Row{R"({"name":"trials","x":["trials"],"trials":{"a":[1]}})",
               R"({"name":"trials","x":["trials"],"trials":{"a":[1]}})"},
           // A list that was cut off, or never was one.
           Row{R"({"charges":[[1])", R"({"charges":[])"},
           Row{R"({"charges)", R"({"charges)"},
           Row{R"("\)", R"("\)"},
       }) {
    EXPECT_EQ(without_long_lists(row.json), row.left) << row.json;
  }
}

}  // namespace
}  // namespace aftershock::gui
