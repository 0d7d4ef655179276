#include "reports/ledger/trial_ledger.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::reports {

namespace {

__extension__ using Wide = __int128;

constexpr Wide kParts = 10'000;

}  // namespace

void TrialLedger::open(TrialTrack& track, std::int64_t at_us, Bucket bucket, Cause cause) {
  AFTERSHOCK_ASSERT(!track.open && at_us >= track.since_us);
  track.since_us = at_us;
  track.bucket = bucket;
  track.cause = cause;
  track.open = true;
}

void TrialLedger::enter(TrialTrack& track, std::int64_t at_us, Bucket bucket, Cause cause) {
  AFTERSHOCK_ASSERT(track.open);
  settle(track, at_us);
  track.bucket = bucket;
  track.cause = cause;
}

void TrialLedger::settle(TrialTrack& track, std::int64_t at_us) {
  if (!track.open) {
    return;
  }
  AFTERSHOCK_ASSERT(at_us >= track.since_us);
  const std::int64_t passed_us = at_us - track.since_us;
  track.since_us = at_us;
  if (passed_us == 0) {
    return;
  }
  totals_us_[index_of(track.bucket)] += passed_us;
  totals_of(track.cause)[index_of(track.bucket)] += passed_us;
  if (track.bucket == Bucket::kProductive) {
    track.productive_us += passed_us;
    worked_until_us_ = std::max(worked_until_us_.value_or(at_us), at_us);
  }
}

void TrialLedger::close(TrialTrack& track, std::int64_t at_us) {
  settle(track, at_us);
  track.open = false;
}

std::int64_t TrialLedger::roll_back(TrialTrack& track, std::int64_t kept_productive_us,
                                    Cause cause) {
  const std::int64_t moved_us = std::max<std::int64_t>(
      0, track.productive_us - std::max<std::int64_t>(0, kept_productive_us));
  if (moved_us > 0) {
    move_productive(track, moved_us, Bucket::kRolledBack, cause);
  }
  return moved_us;
}

void TrialLedger::straggle(TrialTrack& track, std::int64_t us, Cause cause) {
  AFTERSHOCK_ASSERT(us >= 0 && us <= track.productive_us);
  if (us > 0) {
    move_productive(track, us, Bucket::kStraggling, cause);
  }
}

void TrialLedger::move_productive(TrialTrack& track, std::int64_t us, Bucket to, Cause cause) {
  track.productive_us -= us;
  totals_us_[index_of(Bucket::kProductive)] -= us;
  totals_of(Cause::policy())[index_of(Bucket::kProductive)] -= us;
  totals_us_[index_of(to)] += us;
  totals_of(cause)[index_of(to)] += us;
}

BucketTotals TrialLedger::accelerator_totals_us() const {
  BucketTotals totals{};
  Wide parts = 0;
  Wide given = 0;
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    parts += Wide{totals_us_[i]} * accelerators_e4_;
    totals[i] = static_cast<std::int64_t>(parts / kParts - given);
    given = parts / kParts;
  }
  return totals;
}

std::int64_t TrialLedger::accelerator_us(std::int64_t us) const {
  return static_cast<std::int64_t>(Wide{us} * accelerators_e4_ / kParts);
}

const BucketTotals& TrialLedger::common_totals_us(Cause cause) const {
  return common_us_[common_index(cause)];
}

BucketTotals& TrialLedger::totals_of(Cause cause) {
  if (!cause.is_fault()) {
    return common_us_[common_index(cause)];
  }
  const auto number = static_cast<std::uint32_t>(cause.value);
  auto place = std::ranges::lower_bound(faults_us_, number, {}, &Ledger::FaultTotals::number);
  if (place == faults_us_.end() || place->number != number) {
    place = faults_us_.insert(place, Ledger::FaultTotals{number, {}});
  }
  return place->us;
}

}  // namespace aftershock::reports
