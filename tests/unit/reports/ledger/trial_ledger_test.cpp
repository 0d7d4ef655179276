#include "reports/ledger/trial_ledger.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace aftershock::reports {
namespace {

std::int64_t of(const BucketTotals& totals, Bucket bucket) {
  return totals[static_cast<std::size_t>(bucket)];
}

TEST(TrialLedger, SumsWhatItsTrialsDo) {
  TrialLedger ledger;
  TrialTrack one;
  TrialTrack two;
  ledger.open(one, 0, Bucket::kWaitingForCapacity, Cause::queue());
  ledger.open(two, 5 * kSecond, Bucket::kProductive, Cause::policy());
  ledger.enter(one, 7 * kSecond, Bucket::kProductive, Cause::policy());
  ledger.close(one, 17 * kSecond);
  ledger.enter(two, 20 * kSecond, Bucket::kUndetected, Cause::fault(3));
  ledger.close(two, 21 * kSecond);
  EXPECT_EQ(of(ledger.totals_us(), Bucket::kWaitingForCapacity), 7 * kSecond);
  EXPECT_EQ(of(ledger.totals_us(), Bucket::kProductive), 25 * kSecond);
  EXPECT_EQ(of(ledger.totals_us(), Bucket::kUndetected), kSecond);
  ASSERT_EQ(ledger.faults_us().size(), 1U);
  EXPECT_EQ(ledger.faults_us().front().number, 3U);
  EXPECT_EQ(of(ledger.common_totals_us(Cause::queue()), Bucket::kWaitingForCapacity), 7 * kSecond);
}

TEST(TrialLedger, CountsNothingBetweenCloseAndOpen) {
  TrialLedger ledger;
  TrialTrack track;
  ledger.open(track, 0, Bucket::kProductive, Cause::policy());
  ledger.close(track, kSecond);
  ledger.settle(track, 10 * kSecond);
  ledger.open(track, 20 * kSecond, Bucket::kProductive, Cause::policy());
  ledger.close(track, 21 * kSecond);
  EXPECT_EQ(track.productive_us, 2 * kSecond);
}

TEST(TrialLedger, MovesWhatATrialLosesAndNotWhatOthersDid) {
  TrialLedger ledger;
  TrialTrack one;
  TrialTrack two;
  ledger.open(one, 0, Bucket::kProductive, Cause::policy());
  ledger.open(two, 0, Bucket::kProductive, Cause::policy());
  ledger.close(one, 10 * kSecond);
  ledger.close(two, 10 * kSecond);
  EXPECT_EQ(ledger.roll_back(one, 4 * kSecond, Cause::fault(0)), 6 * kSecond);
  EXPECT_EQ(ledger.roll_back(one, 4 * kSecond, Cause::fault(0)), 0);
  EXPECT_EQ(ledger.roll_back(two, 11 * kSecond, Cause::fault(0)), 0);
  EXPECT_EQ(one.productive_us, 4 * kSecond);
  EXPECT_EQ(of(ledger.totals_us(), Bucket::kProductive), 14 * kSecond);
  EXPECT_EQ(of(ledger.totals_us(), Bucket::kRolledBack), 6 * kSecond);
  EXPECT_EQ(of(ledger.faults_us().front().us, Bucket::kRolledBack), 6 * kSecond);
}

// Three buckets of a third of a microsecond each make one whole one, in the bucket that fills it.
TEST(TrialLedger, TakesFromProductiveTimeWhatAStragglerCost) {
  TrialLedger ledger;
  TrialTrack one;
  ledger.open(one, 0, Bucket::kProductive, Cause::policy());
  ledger.settle(one, 10 * kSecond);
  ledger.straggle(one, 4 * kSecond, Cause::fault(2));
  ledger.close(one, 11 * kSecond);
  EXPECT_EQ(one.productive_us, 7 * kSecond);
  EXPECT_EQ(ledger.totals_us()[index_of(Bucket::kProductive)], 7 * kSecond);
  EXPECT_EQ(ledger.totals_us()[index_of(Bucket::kStraggling)], 4 * kSecond);
  ASSERT_EQ(ledger.faults_us().size(), 1U);
  EXPECT_EQ(ledger.faults_us()[0].number, 2U);
  EXPECT_EQ(ledger.faults_us()[0].us[index_of(Bucket::kStraggling)], 4 * kSecond);
}

TEST(TrialLedger, RoundsSoThatBucketsSumToTheWhole) {
  TrialLedger ledger(3'334);
  TrialTrack track;
  ledger.open(track, 0, Bucket::kProductive, Cause::policy());
  ledger.enter(track, 1, Bucket::kLaunching, Cause::first_start());
  ledger.enter(track, 2, Bucket::kRestoring, Cause::first_start());
  ledger.close(track, 3);
  const BucketTotals totals = ledger.accelerator_totals_us();
  EXPECT_EQ(std::accumulate(totals.begin(), totals.end(), std::int64_t{0}), 1);
  EXPECT_EQ(of(totals, Bucket::kRestoring), 1);
  EXPECT_EQ(ledger.accelerator_us(30'000), 10'002);
}

TEST(TrialLedgerDeathTest, ATrackIsOpenedOnceAndEnteredWhileItIsOpen) {
  TrialLedger ledger;
  TrialTrack track;
  EXPECT_DEATH(ledger.enter(track, 1, Bucket::kProductive, Cause::policy()), "assertion failed");
  ledger.open(track, 1, Bucket::kLaunching, Cause::policy());
  EXPECT_DEATH(ledger.open(track, 2, Bucket::kLaunching, Cause::policy()), "assertion failed");
}

}  // namespace
}  // namespace aftershock::reports
