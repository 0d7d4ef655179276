#include "gui/compare/answers.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gui/compare/fault_pairs.h"
#include "gui/compare/ledger_difference.h"
#include "gui/trace/loader.h"
#include "tests/unit/reports/sample_recording.h"
#include "tests/unit/simulator_path.h"

namespace aftershock::gui {
namespace {

using reports::testing::ScratchFolder;

// A node dies. With pods to spend its pod is made anew, without the job is.
TEST(Answers, OfTwoConfigurationsPart) {
  const ScratchFolder folder;
  Trace traces[2];
  std::string paths[2];
  for (const int i : {0, 1}) {
    paths[i] = folder.file(fmt::format("{}.aftershock", i));
    const std::string command = fmt::format(
        "{} run scenarios/modelarts/pod_rescheduling.json --record {} {} >/dev/null 2>&1",
        aftershock::testing::kSimulatorPath, paths[i],
        i == 0 ? "" : "--set '/jobs/0/policy/config/fault-tolerance~1pod-retry-num=\"0\"'");
    ASSERT_NE(std::system(command.c_str()), -1);
    load(traces[i], paths[i]);
    ASSERT_EQ(traces[i].end.state, reports::ReadState::kComplete) << traces[i].end.message;
  }
  EXPECT_TRUE(same_faults(traces[0], traces[1]));
  const auto found = reports::divergences_by_fault(read_answers(traces[0], paths[0]),
                                                   read_answers(traces[1], paths[1]));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().owner, "job:llm");
  EXPECT_EQ(found.front().fault, "node");
  EXPECT_EQ(found.front().a->rule, "modelarts.pod.start");
  EXPECT_EQ(found.front().b->rule, "modelarts.isolated.start");
  EXPECT_EQ(found.front().a->decision, found.front().b->decision);
  EXPECT_EQ(traces[0].decisions[found.front().a->decision].t_us, found.front().a_us);
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
