#include "gui/compare/scenario_difference.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(ScenarioDifference, NamesWhatDiffers) {
  struct Row {
    const char* a;
    const char* b;
    std::vector<std::string> pointers;
    std::size_t more = 0;
    bool is_known = true;
  };
  for (const Row& row : {
           Row{R"({"x":1})", R"({"x":1})", {}},
           Row{R"({"x":1,"y":2})", R"({"y":2,"x":1})", {}},
           Row{R"({"x":1})", R"({"x":2})", {"/x"}},
           Row{R"({"$schema":"a.json","x":1})", R"({"$schema":"b.json","x":2})", {"/x"}},
           Row{R"({"x":{"z":1}})", R"({"x":{}})", {"/x/z"}},
           Row{R"({"jobs":[{"policy":{"name":"p","n":1}}]})",
               R"({"jobs":[{"policy":{"name":"p","n":2}}]})",
               {"/jobs/0/policy/n"}},
           Row{R"({"jobs":[{"policy":{"name":"p","n":1}}]})",
               R"({"jobs":[{"policy":{"name":"q","m":2}}]})",
               {"/jobs/0/policy"}},
           Row{R"({"f":[1]})", R"({"f":[1,2]})", {"/f"}},
           Row{R"({"a":1,"b":1,"c":1,"d":1})", R"({"x":1})", {"/a", "/b"}, 3},
           Row{"{}", R"({"x":1})", {}, 0, false},
           Row{"nonsense", R"({"x":1})", {}, 0, false},
       }) {
    reports::RecordingHeader a;
    reports::RecordingHeader b;
    a.scenario_json = row.a;
    b.scenario_json = row.b;
    const ScenarioDifference found = compare_scenarios(a, b, 2);
    EXPECT_EQ(found.pointers, row.pointers) << row.b;
    EXPECT_EQ(found.more, row.more) << row.b;
    EXPECT_EQ(found.is_known, row.is_known) << row.b;
  }
}

}  // namespace
}  // namespace aftershock::gui
