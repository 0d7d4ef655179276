#include "sim/conform/record.h"

#include <string>

#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::conform {
namespace {

const std::string kHead = R"({"conform":1,"policy":"p","installed":"q 1.2","host":"ab"})";

TEST(Record, IsReadAsItWasWritten) {
  const Record record{.policy = "p",
                      .installed = "q 1.2",
                      .host = "ab",
                      .runs = {{.scenario = "a.json",
                                .seed = 3,
                                .digest = "d",
                                .view = policies::json_from_text<View>(R"({"time":{"x":[1]}})")}}};
  const std::string text = record_text(record);
  EXPECT_EQ(text, kHead +
                      "\n"
                      R"({"scenario":"a.json","seed":3,"digest":"d","view":{"time":{"x":[1]}}})"
                      "\n");
  const auto read = read_record(text);
  const auto* again = std::get_if<Record>(&read);
  ASSERT_NE(again, nullptr) << std::get<std::string>(read);
  EXPECT_EQ(record_text(*again), text);
}

// A seed and a sequence of one scenario may have one number.
TEST(Record, FindsTheRunOfTheDigest) {
  const Record record{.policy = "p",
                      .installed = "q 1.2",
                      .host = "ab",
                      .runs = {{.scenario = "a.json", .seed = 3, .digest = "d", .view = {}},
                               {.scenario = "a.json", .seed = 3, .digest = "e", .view = {}}}};
  EXPECT_EQ(record.find("a.json", 3, "d"), &record.runs[0]);
  EXPECT_EQ(record.find("a.json", 3, "e"), &record.runs[1]);
  ASSERT_NE(record.find("a.json", 3, "f"), nullptr);
  EXPECT_NE(record.find("a.json", 3, "f")->digest, "f");
  EXPECT_EQ(record.find("a.json", 4, "d"), nullptr);
  EXPECT_EQ(record.find("b.json", 3, "d"), nullptr);
}

struct WrongText {
  const char* name;
  std::string text;
  std::string problem;
};

class WrongRecord : public testing::TestWithParam<WrongText> {};

TEST_P(WrongRecord, SaysWhere) {
  const auto read = read_record(GetParam().text);
  const auto* problem = std::get_if<std::string>(&read);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->substr(0, GetParam().problem.size()), GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongRecord,
    testing::Values(WrongText{"empty", "", "is empty; expected the head"},
                    WrongText{"no_json", "x\n", "line 1: expected the head"},
                    WrongText{"another_schema",
                              R"({"conform":2,"policy":"","installed":"","host":""})",
                              "line 1: expected the head"},
                    WrongText{"no_run", kHead + "\n[]\n", "line 2: expected a recorded run"},
                    WrongText{"no_seed",
                              kHead + "\n"
                                      R"({"scenario":"a","seed":"1","digest":"","view":{}})",
                              "line 2: expected a recorded run"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::conform
