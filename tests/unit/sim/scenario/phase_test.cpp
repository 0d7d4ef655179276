#include "sim/scenario/phase.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "reports/ledger/bucket.h"

namespace aftershock::sim {
namespace {

TEST(Phase, HasTheWordOfItsBucket) {
  // Reports and scenarios know nothing of each other, so what both name is named twice.
  const std::map<std::string_view, std::string_view> renamed{
      {"training", "productive"}, {"checkpointing", "checkpoint_blocking"}};
  const std::set<std::string_view> without_bucket{"uploading", "committing", "catching_up"};
  const std::set<std::string_view> without_phase{"rolled_back", "straggling", "paused"};
  std::vector<std::string_view> of_phases;
  for (const std::string_view phase : kPhaseNames) {
    if (!without_bucket.contains(phase)) {
      of_phases.push_back(renamed.contains(phase) ? renamed.at(phase) : phase);
    }
  }
  std::vector<std::string_view> with_phase;
  std::ranges::copy_if(reports::kBucketNames, std::back_inserter(with_phase),
                       [&](std::string_view name) { return !without_phase.contains(name); });
  std::ranges::sort(of_phases);
  std::ranges::sort(with_phase);
  EXPECT_EQ(of_phases, with_phase);
}

TEST(Phase, HasItsName) {
  EXPECT_EQ(name_of(Phase::kTraining), "training");
  EXPECT_EQ(name_of(Phase::kWaitingForCapacity), "waiting_for_capacity");
  EXPECT_EQ(name_of(Phase::kCatchingUp), "catching_up");
  EXPECT_EQ(reports::name_of(reports::Bucket::kWaitingForCapacity), "waiting_for_capacity");
  EXPECT_EQ(reports::name_of(reports::Bucket::kPaused), "paused");
}

}  // namespace
}  // namespace aftershock::sim
