#include "gui/compare/divergences.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gui/compare/fault_pairs.h"
#include "gui/compare/ledger_difference.h"
#include "gui/trace/loader.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::gui {
namespace {

using reports::testing::ScratchFolder;

AnswerStep step(std::uint32_t decision, const char* rule, std::vector<std::string> commands = {}) {
  return {decision, rule, std::move(commands)};
}

TEST(Divergences, AreWhereTheFirstStepDiffers) {
  Trace a;
  for (const std::int64_t t_us : {10, 20, 30}) {
    a.decisions.push_back({.t_us = t_us});
  }
  const Trace& b = a;
  const std::vector<Answer> in_a{
      {"job:x", "f", {step(0, "isolate"), step(1, "pods", {"stop"})}},
      {"job:x", "g", {step(2, "heal")}},
      {"job:x", "only in a", {step(2, "heal")}},
  };
  struct Row {
    const char* name;
    std::vector<Answer> in_b;
    std::size_t count;
  };
  const std::vector<Row> rows{
      {"the same", in_a, 0},
      {"by other decisions", {{"job:x", "f", {step(1, "isolate"), step(2, "pods", {"stop"})}}}, 0},
      {"another rule", {{"job:x", "f", {step(0, "isolate"), step(1, "job", {"stop"})}}}, 1},
      {"another command", {{"job:x", "f", {step(0, "isolate"), step(1, "pods", {"fail"})}}}, 1},
      {"ends before", {{"job:x", "f", {step(0, "isolate")}}}, 1},
      {"goes on", {{"job:x", "g", {step(0, "heal"), step(1, "isolate")}}}, 1},
      {"another policy, the same order",
       {{"job:x", "f", {step(0, "q.seen"), step(1, "q.stop", {"stop"}), step(2, "q.done")}}},
       0},
      {"another policy, another order", {{"job:x", "f", {step(0, "q.stop", {"fail"})}}}, 1},
      {"another policy, no order", {{"job:x", "f", {step(0, "q.seen")}}}, 1},
      {"another job", {{"job:y", "f", {step(0, "other")}}}, 0},
      {"no step", {{"job:x", "f", {}}}, 0},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(find_divergences(a, in_a, b, row.in_b).size(), row.count) << row.name;
  }
  const auto found = find_divergences(a, in_a, b, rows[4].in_b);
  EXPECT_EQ(found.front().a->rule, "pods");
  EXPECT_FALSE(found.front().b);
  EXPECT_EQ(found.front().a_us, 20);
  EXPECT_EQ(found.front().b_us, 10);
}

// A node dies. With pods to spend its pod is made anew, without the job is.
TEST(Divergences, OfTwoConfigurations) {
  const ScratchFolder folder;
  Trace traces[2];
  std::string paths[2];
  for (const int i : {0, 1}) {
    paths[i] = folder.file(fmt::format("{}.aftershock", i));
    const std::string command = fmt::format(
        "{} run scenarios/modelarts/pod_rescheduling.json --record {} {} >/dev/null 2>&1",
        AFTERSHOCK_EXECUTABLE, paths[i],
        i == 0 ? "" : "--set '/jobs/0/policy/config/fault-tolerance~1pod-retry-num=\"0\"'");
    ASSERT_NE(std::system(command.c_str()), -1);
    load(traces[i], paths[i]);
    ASSERT_EQ(traces[i].end.state, reports::ReadState::kComplete) << traces[i].end.message;
  }
  EXPECT_TRUE(same_faults(traces[0], traces[1]));
  const auto found = find_divergences(traces[0], read_answers(traces[0], paths[0]), traces[1],
                                      read_answers(traces[1], paths[1]));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().entity, "job:llm");
  EXPECT_EQ(found.front().fault, "node");
  EXPECT_EQ(found.front().a->rule, "modelarts.pod.start");
  EXPECT_EQ(found.front().b->rule, "modelarts.isolated.start");
  EXPECT_EQ(found.front().a_us, 1'515'000'000);
  EXPECT_EQ(found.front().b_us, 1'515'000'000);
  // All pods go, so their volumes take 20 s and 20 s instead of 20 s and 5 s.
  for (const LedgerPair& pair : pair_ledgers(traces[0], traces[1])) {
    for (const BucketPair& bucket : pair.buckets) {
      if (bucket.bucket == "tearing_down") {
        EXPECT_EQ(bucket.a_us, 30'000'000);
        EXPECT_EQ(bucket.b_us, 45'000'000);
      }
    }
  }
  EXPECT_EQ(pair_ledgers(traces[0], traces[1]).size(), 1U);
}

}  // namespace
}  // namespace aftershock::gui
