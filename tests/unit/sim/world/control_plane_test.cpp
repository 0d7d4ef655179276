#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// A platform's controller that dies with its head, where pods do not. Set-up takes 5 s in a fresh
// container, so the job works from 5 s to 1005 s.
namespace aftershock::sim::world {
namespace {

Outcomes away(const char* from, const char* length, const std::string& faults = "") {
  return simulated(fmt::format(
      R"({{"cluster":{{"heads":[{{"name":"h","restart":{{"after":"{}"}}}}],)"
      R"("workers_die_with_head":false}},"pool":{{"spares":1,"accelerators":{{"kind":"npu"}}}},)"
      R"("job":{{"script":{{"setup":"5s"}},"control_plane":{{"on":"head"}},"policy":)"
      R"({{"name":"modelarts","config":{{"max_failures":null,"fault-tolerance/job-retry-num":"8",)"
      R"("fault-tolerance/pod-retry-num":"3"}}}}}},"faults":[)"
      R"({{"kind":"head_crash","target":"head:h","at":"{}"}}{}]}})",
      length, from, faults));
}

TEST(ControlPlane, ThatIsAwayWhileTheJobWorksIsNotMissed) {
  const Outcomes run = away("100s", "50s");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 5_s}, {"productive", 1000_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
}

TEST(ControlPlane, LearnsThatPodsHaveStartedMeanwhile) {
  const Outcomes run = away("1s", "9s");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 5_s}, {"productive", 1000_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
}

// Of pods that still start it does not know how far they are.
TEST(ControlPlane, MakesAnewWhatHasNotStartedYet) {
  const Outcomes run = away("1s", "2s");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 3_s + 5_s}, {"productive", 1000_s}}));
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.used("job-retry-num"), 0);
}

// The node is declared dead at 115 s, which nobody hears before 130 s.
TEST(ControlPlane, HearsOfADeadNodeWhenItIsBack) {
  const Outcomes run =
      away("102s", "28s", R"(,{"kind":"node_crash","target":"node:p-1","at":"104s"})");
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 10_s},
                                   {"undetected", 26_s},
                                   {"rolled_back", 99_s},
                                   {"productive", 1000_s}}));
  EXPECT_EQ(run.used("pod-retry-num"), 1);
}

TEST(ControlPlane, HearsOfTheEndWhenItIsBack) {
  const Outcomes run = away("1000s", "10s");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.wall(), 1010_s);
}

}  // namespace
}  // namespace aftershock::sim::world
