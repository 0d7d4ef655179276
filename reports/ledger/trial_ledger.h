#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "reports/ledger/ledger.h"

namespace aftershock::reports {

/// The account of one trial: what the ledger of its experiment must remember of it.
struct TrialTrack {
  std::int64_t since_us = 0;  ///< begin of the open interval
  std::int64_t productive_us = 0;
  Bucket bucket = Bucket::kWaitingForCapacity;
  Cause cause;
  bool open = false;
};

/// The account of an experiment: the time of all its trials together, each from the moment it is
/// wanted to run until it no longer is. The buckets sum to the trials' time, exactly. Productive
/// time of trials is put down to the policy.
class TrialLedger {
 public:
  TrialLedger() = default;
  /// `accelerators_e4`: what a trial takes, in parts of 10,000 of an accelerator.
  explicit TrialLedger(std::int64_t accelerators_e4) : accelerators_e4_(accelerators_e4) {
    AFTERSHOCK_ASSERT(accelerators_e4 > 0);
  }

  /// Begins an account in `bucket`, or goes on with one that was closed.
  void open(TrialTrack& track, std::int64_t at_us, Bucket bucket, Cause cause);
  /// From `at_us` on the trial is in `bucket`.
  void enter(TrialTrack& track, std::int64_t at_us, Bucket bucket, Cause cause);
  /// Accounts for all time up to `at_us`; the track stays open.
  void settle(TrialTrack& track, std::int64_t at_us);
  /// Ends the open interval; the time that follows is nobody's.
  void close(TrialTrack& track, std::int64_t at_us);

  /// Moves `us` of what the trial did productively to straggling, put down to `cause`: they had
  /// been settled, and healthy nodes would not have needed them.
  void straggle(TrialTrack& track, std::int64_t us, Cause cause);

  /// Moves what the trial did productively beyond `kept_productive_us` to rolled_back, put down to
  /// `cause`. Returns what was moved. The track must have been settled.
  std::int64_t roll_back(TrialTrack& track, std::int64_t kept_productive_us, Cause cause);

  [[nodiscard]] const BucketTotals& totals_us() const { return totals_us_; }
  /// When a trial last trained, of all time that was settled, rolled back since or not; none:
  /// never.
  [[nodiscard]] std::optional<std::int64_t> worked_until_us() const { return worked_until_us_; }
  /// The same times what a trial takes. Rounded so that the buckets sum to the rounded whole.
  [[nodiscard]] BucketTotals accelerator_totals_us() const;
  /// `us` of one trial in accelerator-microseconds, rounded down.
  [[nodiscard]] std::int64_t accelerator_us(std::int64_t us) const;
  /// Every fault that time was put down to, by number, and what a common cause cost, by bucket.
  [[nodiscard]] const std::vector<Ledger::FaultTotals>& faults_us() const { return faults_us_; }
  [[nodiscard]] const BucketTotals& common_totals_us(Cause cause) const;

 private:
  BucketTotals& totals_of(Cause cause);
  void move_productive(TrialTrack& track, std::int64_t us, Bucket to, Cause cause);

  std::int64_t accelerators_e4_ = 10'000;
  BucketTotals totals_us_{};
  std::optional<std::int64_t> worked_until_us_;
  std::array<BucketTotals, 5> common_us_{};
  std::vector<Ledger::FaultTotals> faults_us_;  ///< sorted
};

}  // namespace aftershock::reports
