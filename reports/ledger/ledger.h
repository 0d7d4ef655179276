#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/ledger/bucket.h"

namespace aftershock::reports {

/// The cause of a stretch of time: a fault by its number in the run, or one of the rest.
struct Cause {
  std::int32_t value = kPolicyValue;

  static constexpr std::int32_t kFirstStartValue = -1;
  static constexpr std::int32_t kCheckpointValue = -2;
  static constexpr std::int32_t kResizeValue = -3;
  static constexpr std::int32_t kQueueValue = -4;
  static constexpr std::int32_t kPolicyValue = -5;

  /// One for each kind of cause.
  static constexpr Cause fault(std::uint32_t number) { return {static_cast<std::int32_t>(number)}; }
  static constexpr Cause first_start() { return {kFirstStartValue}; }
  static constexpr Cause checkpoint() { return {kCheckpointValue}; }
  static constexpr Cause resize() { return {kResizeValue}; }
  static constexpr Cause queue() { return {kQueueValue}; }
  static constexpr Cause policy() { return {kPolicyValue}; }

  /// Whether it is a fault, whose number `value` then is.
  [[nodiscard]] constexpr bool is_fault() const { return value >= 0; }
  friend bool operator==(const Cause&, const Cause&) = default;
};

/// The index of the cause among those that are not faults, in the order of their values; of a
/// fault there is none.
std::size_t common_index(Cause cause);
/// The word of a cause that is not a fault: first_start, checkpoint, resize, queue, policy.
std::string_view name_of_common_cause(Cause cause);

/// Microseconds by bucket, in the order of Bucket.
using BucketTotals = std::array<std::int64_t, kBucketCount>;

/// One job's account of its time. Intervals arrive in order and without gaps, so the buckets sum to
/// the time that passed, exactly; the same intervals times the job's target size give the
/// accelerator account.
class Ledger {
 public:
  /// Begins at `start_us` in `bucket`; `accelerators` is the job's target size.
  Ledger(std::int64_t start_us, Bucket bucket, Cause cause, std::int64_t accelerators);

  /// From `at_us` on the job uses so many accelerators of its target size, at most all of them.
  void use(std::int64_t at_us, std::int64_t accelerators);

  /// From `at_us` on the job is in `bucket`. `at_us` never goes back.
  void enter(std::int64_t at_us, Bucket bucket, Cause cause) {
    close(at_us);
    bucket_ = bucket;
    cause_ = cause;
  }

  /// Moves productive time beyond `kept_productive_us` to rolled_back, put down to `cause`.
  /// Returns what was moved. The ledger must have been brought up to now by `enter` or `close`.
  std::int64_t roll_back(std::int64_t kept_productive_us, Cause cause);

  /// Moves the last `us` of productive time to `straggling`, put down to `cause`: what a slow
  /// worker made it longer by. Returns what was moved. As `roll_back`, of a ledger up to now.
  std::int64_t straggle(std::int64_t us, Cause cause);

  /// Accounts for all time up to `at_us`, staying in the same bucket.
  void close(std::int64_t at_us) {
    if (at_us != since_us_) {
      pass(at_us);
    }
  }

  /// Productive time up to `at_us`, if the job is in the productive bucket counting its open
  /// interval.
  [[nodiscard]] std::int64_t productive_us(std::int64_t at_us) const;

  /// The end of the last productive time that is closed, whether its work is still there or not;
  /// the start where there was none.
  [[nodiscard]] std::int64_t worked_until_us() const { return worked_until_us_; }

  [[nodiscard]] Bucket bucket() const { return bucket_; }
  [[nodiscard]] Cause cause() const { return cause_; }
  /// From the start to the last interval that is closed.
  [[nodiscard]] std::int64_t wall_us() const { return since_us_ - start_us_; }
  [[nodiscard]] const BucketTotals& totals_us() const { return totals_us_; }
  /// The same times the accelerators in use.
  [[nodiscard]] BucketTotals accelerator_totals_us() const;
  /// Accelerator time of the target size that a shrunk job did not use. With the totals above it
  /// sums to wall time times the target size.
  [[nodiscard]] std::int64_t reduced_accelerator_us() const;

  /// The costs of one fault.
  struct FaultTotals {
    std::uint32_t number = 0;
    BucketTotals us{};
  };

  /// The costs of fault `number`, by bucket; zeros for a fault that cost nothing.
  [[nodiscard]] BucketTotals fault_totals_us(std::uint32_t number) const;
  /// Every fault that time was put down to, by number.
  [[nodiscard]] const std::vector<FaultTotals>& faults_us() const { return faults_us_; }
  /// The costs of a common cause, by bucket.
  [[nodiscard]] const BucketTotals& common_totals_us(Cause cause) const;

 private:
  /// Productive time of one cause, in the order of the work: a roll-back takes from the end.
  struct Stretch {
    Cause cause;
    std::int64_t unused = 0;  ///< accelerators
    std::int64_t us = 0;
  };

  void pass(std::int64_t at_us);
  BucketTotals& totals_of(Cause cause);
  [[nodiscard]] std::size_t place_of(std::uint32_t number) const;
  void move_productive(std::int64_t us, Bucket to, Cause cause);

  std::int64_t start_us_;
  std::int64_t since_us_;
  std::int64_t worked_until_us_;
  std::int64_t accelerators_;
  std::int64_t unused_ = 0;
  Bucket bucket_;
  Cause cause_;
  BucketTotals totals_us_{};
  BucketTotals unused_us_{};  ///< accelerator time
  std::array<BucketTotals, 5> common_us_{};
  std::vector<FaultTotals> faults_us_;  ///< sorted; most faults cost a job nothing
  std::vector<Stretch> productive_;
};

}  // namespace aftershock::reports
