#include "reports/ledger/ledger.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "reports/ledger/ledger_record.h"

namespace aftershock::reports {
namespace {

std::int64_t at(const BucketTotals& totals, Bucket bucket) {
  return totals[static_cast<std::size_t>(bucket)];
}

std::int64_t sum(const BucketTotals& totals) {
  return std::accumulate(totals.begin(), totals.end(), std::int64_t{0});
}

/// Every microsecond is put down to exactly one cause: bucket by bucket, causes add up to totals.
void expect_causes_add_up(const Ledger& ledger) {
  BucketTotals added{};
  const auto add = [&added](const BucketTotals& totals) {
    for (std::size_t i = 0; i < kBucketCount; ++i) {
      ASSERT_GE(totals[i], 0);
      added[i] += totals[i];
    }
  };
  for (const Cause cause : {Cause::first_start(), Cause::checkpoint(), Cause::resize(),
                            Cause::queue(), Cause::policy()}) {
    add(ledger.common_totals_us(cause));
  }
  for (const Ledger::FaultTotals& fault : ledger.faults_us()) {
    add(fault.us);
    EXPECT_EQ(fault.us, ledger.fault_totals_us(fault.number));
  }
  EXPECT_EQ(added, ledger.totals_us());
}

TEST(Ledger, EachIntervalIsInItsBucket) {
  Ledger ledger(100, Bucket::kLaunching, Cause::first_start(), 8);
  ledger.enter(130, Bucket::kProductive, Cause::policy());
  ledger.enter(190, Bucket::kUndetected, Cause::fault(4));
  ledger.enter(200, Bucket::kRestoring, Cause::fault(4));
  ledger.enter(200, Bucket::kWarmingUp, Cause::fault(4));
  ledger.close(205);
  EXPECT_EQ(ledger.wall_us(), 105);
  EXPECT_EQ(at(ledger.totals_us(), Bucket::kLaunching), 30);
  EXPECT_EQ(at(ledger.totals_us(), Bucket::kProductive), 60);
  EXPECT_EQ(at(ledger.totals_us(), Bucket::kUndetected), 10);
  EXPECT_EQ(at(ledger.totals_us(), Bucket::kRestoring), 0);
  EXPECT_EQ(at(ledger.totals_us(), Bucket::kWarmingUp), 5);
  EXPECT_EQ(at(ledger.accelerator_totals_us(), Bucket::kProductive), 480);
  EXPECT_EQ(sum(ledger.fault_totals_us(4)), 15);
  EXPECT_EQ(sum(ledger.fault_totals_us(3)), 0);
  EXPECT_EQ(sum(ledger.fault_totals_us(4'000'000'000U)), 0);
  EXPECT_EQ(at(ledger.common_totals_us(Cause::first_start()), Bucket::kLaunching), 30);
  expect_causes_add_up(ledger);
}

TEST(Ledger, ProductiveTimeCountsTheOpenInterval) {
  Ledger ledger(0, Bucket::kProductive, Cause::policy(), 1);
  EXPECT_EQ(ledger.productive_us(7), 7);
  ledger.close(10);
  EXPECT_EQ(ledger.productive_us(12), 12);
  ledger.enter(12, Bucket::kDraining, Cause::policy());
  EXPECT_EQ(ledger.productive_us(99), 12);
}

TEST(Ledger, RollBackMovesWhatIsBeyondTheKept) {
  struct Case {
    const char* name;
    std::int64_t kept_us;
    std::int64_t moved_us;
  };
  for (const Case& row :
       {Case{"nothing kept", 0, 100}, Case{"some kept", 30, 70}, Case{"all kept", 100, 0},
        Case{"more kept than there is", 500, 0}, Case{"less than nothing kept", -5, 100}}) {
    SCOPED_TRACE(row.name);
    Ledger ledger(0, Bucket::kProductive, Cause::policy(), 4);
    ledger.enter(100, Bucket::kRestoring, Cause::fault(2));
    ledger.close(110);
    EXPECT_EQ(ledger.roll_back(row.kept_us, Cause::fault(2)), row.moved_us);
    EXPECT_EQ(at(ledger.totals_us(), Bucket::kProductive), 100 - row.moved_us);
    EXPECT_EQ(at(ledger.totals_us(), Bucket::kRolledBack), row.moved_us);
    EXPECT_EQ(at(ledger.fault_totals_us(2), Bucket::kRolledBack), row.moved_us);
    EXPECT_EQ(at(ledger.accelerator_totals_us(), Bucket::kRolledBack), 4 * row.moved_us);
    EXPECT_EQ(sum(ledger.totals_us()), ledger.wall_us());
    EXPECT_EQ(ledger.roll_back(row.kept_us, Cause::fault(2)), 0) << "a second time moves nothing";
    expect_causes_add_up(ledger);
  }
}

TEST(Ledger, WhatWasDoneLastIsRolledBackFirst) {
  Ledger ledger(0, Bucket::kProductive, Cause::first_start(), 1);
  ledger.enter(10, Bucket::kProductive, Cause::fault(1));
  ledger.enter(30, Bucket::kProductive, Cause::policy());
  ledger.close(60);
  EXPECT_EQ(ledger.roll_back(20, Cause::fault(9)), 40);
  EXPECT_EQ(at(ledger.common_totals_us(Cause::first_start()), Bucket::kProductive), 10);
  EXPECT_EQ(at(ledger.fault_totals_us(1), Bucket::kProductive), 10);
  EXPECT_EQ(at(ledger.common_totals_us(Cause::policy()), Bucket::kProductive), 0);
  expect_causes_add_up(ledger);
}

TEST(LedgerDeathTest, TimeGoesOnAndAJobUsesNoMoreThanItsSize) {
  Ledger ledger(10, Bucket::kProductive, Cause::policy(), 8);
  EXPECT_DEATH(ledger.close(9), "assertion failed");
  EXPECT_DEATH(ledger.use(10, 9), "assertion failed");
}

TEST(LedgerDeathTest, AFaultIsNotACommonCause) {
  EXPECT_EQ(name_of_common_cause(Cause::resize()), "resize");
  EXPECT_DEATH(name_of_common_cause(Cause::fault(0)), "assertion failed");
  EXPECT_DEATH(name_of_common_cause(Cause{-6}), "assertion failed");
}

TEST(Ledger, RandomLivesAddUp) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 generator(seed);
    const auto draw = [&generator](std::uint32_t below) {
      return static_cast<std::int64_t>(generator() % below);
    };
    std::int64_t now_us = draw(1000);
    const std::int64_t start_us = now_us;
    const std::int64_t accelerators = 1 + draw(20'000);
    Ledger ledger(start_us, Bucket::kLaunching, Cause::first_start(), accelerators);
    std::int64_t committed_us = 0;
    for (int step = 0; step < 200; ++step) {
      now_us += draw(5) == 0 ? 0 : draw(1'000'000);
      const auto bucket = static_cast<Bucket>(draw(kBucketCount));
      const Cause cause{static_cast<std::int32_t>(draw(40) - 5)};
      ledger.enter(now_us, bucket, cause);
      const std::int64_t productive_us = ledger.productive_us(now_us);
      if (draw(4) == 0) {
        committed_us += draw(static_cast<std::uint32_t>(productive_us - committed_us) + 1);
      }
      if (draw(6) == 0) {
        EXPECT_EQ(ledger.roll_back(committed_us, cause), productive_us - committed_us);
        EXPECT_EQ(ledger.productive_us(now_us), committed_us);
      }
      ASSERT_EQ(sum(ledger.totals_us()), ledger.wall_us());
    }
    ledger.close(now_us);
    EXPECT_EQ(ledger.wall_us(), now_us - start_us);
    EXPECT_EQ(sum(ledger.accelerator_totals_us()), ledger.wall_us() * accelerators);
    expect_causes_add_up(ledger);
  }
}

TEST(LedgerRecord, TellsBothAccountsAndEveryCause) {
  Ledger ledger(0, Bucket::kLaunching, Cause::first_start(), 2);
  ledger.enter(10, Bucket::kProductive, Cause::policy());
  ledger.enter(15, Bucket::kRestoring, Cause::fault(1));
  ledger.enter(18, Bucket::kRestoring, Cause::fault(7));
  ledger.close(20);
  const std::vector<std::string> ids{"a", "spot-1"};
  const std::string members = ledger_record_members(ledger, ids);
  EXPECT_TRUE(members.starts_with(R"("wall_us":20,"us":{"productive":5,"rolled_back":0,)"));
  EXPECT_NE(members.find(R"("accelerator_us":{"productive":10,)"), std::string::npos);
  EXPECT_TRUE(members.ends_with(
      R"("causes":{"first_start":{"launching":10},"policy":{"productive":5}},)"
      R"("faults":[{"fault":"spot-1","us":{"restoring":3}},{"fault":"#7","us":{"restoring":2}}])"))
      << members;
}

}  // namespace
}  // namespace aftershock::reports
