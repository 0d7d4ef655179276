#include "sim/live/kept_facts.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "reports/recording/file_sink.h"
#include "reports/recording/line_reader.h"

namespace aftershock::sim::live {
namespace {

constexpr std::string_view kPlan =
    R"({"live":1,"isolated":false,"until_s":60,"job":{"step_s":1},"faults":[{"at_s":5}]})";

struct PlanCase {
  const char* what;
  std::string_view kept;
  std::string_view why;
};

constexpr PlanCase kPlans[] = {
    {"the same", kPlan, ""},
    {"namespaces",
     R"({"live":1,"isolated":true,"until_s":60,"job":{"step_s":1},"faults":[{"at_s":5}]})", ""},
    {"a plan of before had less", R"({"live":1,"until_s":60,"faults":[{"at_s":5}]})", ""},
    {"another value", R"({"live":1,"until_s":60,"job":{"step_s":2},"faults":[{"at_s":5}]})",
     "/job/step_s is 2 in the plan there, and 1 in the scenario's"},
    {"another fault", R"({"live":1,"until_s":60,"faults":[{"at_s":6}]})",
     "/faults/0/at_s is 6 in the plan there, and 5 in the scenario's"},
    {"a fault less", R"({"live":1,"until_s":60,"faults":[]})",
     R"(/faults is [] in the plan there, and [{"at_s":5}] in the scenario's)"},
    {"a member too many", R"({"live":1,"spares":2})",
     "/spares is 2 in the plan there, and the scenario's has none"},
    {"another kind", R"({"live":1,"job":[1]})",
     R"(/job is [1] in the plan there, and {"step_s":1} in the scenario's)"},
    {"a fact", R"({"fact":"begin"})", "not the plan of a live run"},
    {"a list", "[1]", "not the plan of a live run"},
    {"no JSON", "{", "not the plan of a live run"},
};

TEST(KeptFacts, AreOfOnePlan) {
  for (const PlanCase& row : kPlans) {
    EXPECT_EQ(other_plan(row.kept, kPlan), row.why) << row.what;
  }
}

TEST(KeptFacts, ValueInAMessageIsShort) {
  const std::string why = other_plan(R"({"live":")" + std::string(100'000, 'x') + "\"}", kPlan);
  EXPECT_LT(why.size(), 200U);
  EXPECT_TRUE(why.starts_with("/live is \"xxx")) << why;
}

std::string temporary(const char* name) { return ::testing::TempDir() + "kept_facts_" + name; }

/// The text of a file, read against kPlan: the facts in it, or what comes behind its path.
std::variant<std::vector<std::string>, std::string> read(const std::string& text) {
  const std::string path = temporary("any");
  std::ofstream(path, std::ios::binary) << text;
  auto result = read_kept(path, kPlan);
  if (auto* why = std::get_if<std::string>(&result)) {
    EXPECT_TRUE(why->starts_with(path + ": ")) << *why;
    *why = why->substr(path.size() + 2);
  }
  return result;
}

std::string packed(const std::string& text) {
  const std::string path = temporary("packed.zst");
  reports::FileSink sink(path);
  static_cast<reports::LineSink&>(sink).line(text);
  EXPECT_EQ(sink.finish(), std::nullopt);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(KeptFacts, ComeBackAsTheyWereTold) {
  for (const char* name : {"kept", "kept.zst"}) {
    const std::string path = temporary(name);
    reports::FileSink sink(path);
    std::vector<std::string> heard;
    const TakeLine take = keeping(sink, kPlan, [&heard](std::string_view line) {
      heard.emplace_back(line);
      return heard.size() < 2;
    });
    EXPECT_TRUE(take("one"));
    EXPECT_FALSE(take("two"));
    EXPECT_EQ(sink.finish(), std::nullopt);
    const auto back = read_kept(path, kPlan);
    ASSERT_EQ(back.index(), 0U) << std::get<std::string>(back);
    EXPECT_EQ(std::get<0>(back), (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(std::get<0>(back), heard);
  }
}

TEST(KeptFacts, WrongFileIsToldWithItsLine) {
  const std::string plan(kPlan);
  const std::string small = packed(plan + "\none");
  struct Case {
    const char* what;
    std::string text;
    std::string why;
  };
  const Case cases[] = {
      {"nothing", "", "is empty"},
      {"another plan", "{\"live\":2}\none\n",
       "line 1: /live is 2 in the plan there, and 1 in the scenario's"},
      {"no plan", "one\n" + plan + "\n", "line 1: not the plan of a live run"},
      {"cut off", plan + "\none\ntwo", "line 3: has no end"},
      {"cut in the plan", plan.substr(0, 20), "line 1: has no end"},
      {"cut frame", small.substr(0, small.size() - 4), "ends within compressed data"},
      {"endless", plan + "\n" + std::string(reports::kLineBytesMax + 1, 'x') + "\n",
       "line 2: goes beyond 64 MiB"},
  };
  for (const Case& row : cases) {
    const auto result = read(row.text);
    ASSERT_EQ(result.index(), 1U) << row.what;
    EXPECT_EQ(std::get<1>(result), row.why) << row.what;
  }
  EXPECT_EQ(read_kept("/nowhere", kPlan).index(), 1U);
}

}  // namespace
}  // namespace aftershock::sim::live
