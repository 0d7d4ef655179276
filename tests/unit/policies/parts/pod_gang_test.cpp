#include "policies/parts/pod_gang.h"

#include <variant>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

// The gang has started attempt 1 by command 1, and replaces workers by command 2.
TEST(PodGang, TakesBackWhatIsRefusedForGood) {
  const struct {
    const char* what;
    CommandResult result;
    bool taken_back;
  } rows[] = {
      {"refused", {2, CommandError::kUnknownTarget, true}, true},
      {"perhaps carried out", {2, CommandError::kUnknownTarget, false}, false},
      {"carried out", {2, CommandError::kNone, true}, false},
      {"another command", {1, CommandError::kUnknownTarget, true}, false},
  };
  for (const auto& row : rows) {
    PodGang gang;
    gang.submit({.job = 0, .workers = 8});
    gang.start();
    const Command command = gang.replace(RankSet::range(2, 4));
    EXPECT_EQ(std::get<ReplaceWorkers>(command).epoch, 2U) << row.what;
    EXPECT_EQ(gang.take_back(row.result), row.taken_back) << row.what;
    EXPECT_EQ(gang.epoch, row.taken_back ? 1U : 2U) << row.what;
    EXPECT_TRUE(gang.is_live(AttemptRunning{.job = 0, .epoch = gang.epoch})) << row.what;
  }
}

TEST(PodGang, TakesBackOnce) {
  PodGang gang;
  const CommandResult refused{2, CommandError::kUnknownTarget, true};
  gang.start();
  gang.replace(RankSet::range(0, 1));
  EXPECT_TRUE(gang.take_back(refused));
  EXPECT_FALSE(gang.take_back(refused));
  EXPECT_EQ(gang.epoch, 1U);
}

TEST(PodGang, StopsAreThoseThatWereAskedFor) {
  const struct {
    const char* what;
    bool asked;
    Epoch epoch;
    bool keep;
    bool stopped;
    PodGang::Pods pods;
  } rows[] = {
      {"all pods gone", true, 1, false, true, PodGang::Pods::kNone},
      {"containers kept", true, 1, true, true, PodGang::Pods::kKept},
      {"of another attempt", true, 0, false, false, PodGang::Pods::kRemoving},
      {"not asked for", false, 1, false, false, PodGang::Pods::kLive},
  };
  for (const auto& row : rows) {
    PodGang gang;
    gang.submit({.job = 0, .workers = 8});
    gang.start();
    if (row.asked) {
      row.keep ? gang.stop(0, {}) : gang.remove(0);
    }
    EXPECT_EQ(gang.stopped(WorkersStopped{.job = 0, .epoch = row.epoch}), row.stopped) << row.what;
    EXPECT_EQ(gang.pods, row.pods) << row.what;
  }
}

}  // namespace
}  // namespace aftershock::policies
