#include "reports/recording/header.h"

#include <gtest/gtest.h>

#include "reports/ledger/bucket.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

TEST(Header, LineIsExact) {
  EXPECT_EQ(
      header_line(testing::sample_header()),
      R"({"r":"header","schema":1,"version":"1.2.3","commit":"c0ffee",)"
      R"("scenario":{"name":"sample","question":"Is \"3\" enough?"},"digest":")" +
          text_digest(testing::sample_header().scenario_json) +
          R"(","seed":18446744073709551615,"policy":"ray_train@2026-05",)"
          R"("start":"2026-11-20T18:00:00+08:00",)"
          R"("jobs":[{"name":"llm","policy":"ray_train@2026-05","workers":128,"accelerators":128,)"
          R"("pool":"gpu","steps":20000,"step_us":12000000},)"
          R"({"name":"eval","policy":"ray_train@2026-05","workers":8,"accelerators":8,)"
          R"("pool":"gpu","steps":null,"step_us":1000000}],)"
          R"("entities":[{"kind":"node","pool":"gpu","first":0,"count":16,"name":"gpu-%d",)"
          R"("racks":4,"accelerators":8,"accelerator_kind":"gpu"},)"
          R"({"kind":"head","first":0,"count":1,"name":"head-%d"}],)"
          R"("policies":[{"name":"ray_train@2026-05","rules":[{"id":"ray_train.failure.retry",)"
          R"("sentence":"Retry while within the limit.","source":"default.py"}],)"
          R"("states":["RUNNING","RESTARTING","ERRORED"],)"
          R"("budgets":["max_failures","controller_failure_limit"]}],)"
          R"("buckets":["productive","rolled_back"]})");
}

TEST(Header, NamesExperimentsWhereThereAreSome) {
  RecordingHeader header = testing::sample_header();
  header.experiments = {{"search", "ray_tune@2026-05", "gpu", 1'000, 5'000, 36}};
  const std::string line = header_line(header);
  EXPECT_NE(line.find(R"("experiments":[{"name":"search","policy":"ray_tune@2026-05","pool":"gpu",)"
                      R"("trials":1000,"accelerators_e4":5000,"steps":36}])"),
            std::string::npos);
  const auto read = parse_header(line);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(header_line(*read), line);
}

TEST(Header, ReadsBackWhatWasWritten) {
  const std::string line = header_line(testing::sample_header());
  const auto header = parse_header(line);
  ASSERT_TRUE(header);
  EXPECT_EQ(header_line(*header), line);
  EXPECT_EQ(header->jobs[1].steps, std::nullopt);
}

TEST(Header, OfThisBuildNamesEveryBucket) {
  const RecordingHeader header = new_header();
  EXPECT_FALSE(header.version.empty());
  EXPECT_FALSE(header.commit.empty());
  EXPECT_EQ(header.buckets.size(), kBucketCount);
  EXPECT_TRUE(parse_header(header_line(header)));
}

TEST(Header, UnknownMembersArePassedOver) {
  const auto header =
      parse_header(R"({"later":[{"x":1}],"r":"header","seed":5,"jobs":[{"name":"a","more":{}}]})");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->seed, 5U);
  EXPECT_EQ(header->jobs.at(0).name, "a");
  EXPECT_EQ(header->schema, 0);
}

TEST(Header, OtherLinesAreNone) {
  for (const std::string_view line :
       {"", "{", "{}", "[]", "null", R"({"r":"begin"})", R"({"r":7})",
        R"({"r":"header","seed":-1})", R"({"r":"header","jobs":{}})",
        R"({"r":"header","jobs":[5]})", R"({"r":"header","jobs":[{"name":"a"})",
        R"({"r":"header","scenario":[]})"}) {
    EXPECT_FALSE(parse_header(line)) << line;
  }
}

TEST(Header, DigestTellsTextsApart) {
  EXPECT_EQ(text_digest("a").size(), 16U);
  EXPECT_NE(text_digest("a"), text_digest("b"));
  EXPECT_NE(text_digest(""), text_digest(std::string_view("\0", 1)));
}

}  // namespace
}  // namespace aftershock::reports
