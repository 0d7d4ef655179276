#include "reports/ledger/ledger.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace aftershock::reports {

namespace {

constexpr std::array<std::string_view, 5> kCommonCauses{"first_start", "checkpoint", "resize",
                                                        "queue", "policy"};

}  // namespace

std::size_t common_index(Cause cause) {
  const auto index = static_cast<std::size_t>(-1 - std::int64_t{cause.value});
  AFTERSHOCK_ASSERT(!cause.is_fault() && index < kCommonCauses.size());
  return index;
}

std::string_view name_of_common_cause(Cause cause) { return kCommonCauses[common_index(cause)]; }

Ledger::Ledger(std::int64_t start_us, Bucket bucket, Cause cause, std::int64_t accelerators)
    : start_us_(start_us),
      since_us_(start_us),
      worked_until_us_(start_us),
      accelerators_(accelerators),
      bucket_(bucket),
      cause_(cause) {
  AFTERSHOCK_ASSERT(accelerators > 0);
}

void Ledger::use(std::int64_t at_us, std::int64_t accelerators) {
  AFTERSHOCK_ASSERT(accelerators >= 0 && accelerators <= accelerators_);
  close(at_us);
  unused_ = accelerators_ - accelerators;
}

void Ledger::pass(std::int64_t at_us) {
  AFTERSHOCK_ASSERT(at_us >= since_us_);
  const std::int64_t passed_us = at_us - since_us_;
  since_us_ = at_us;
  totals_us_[index_of(bucket_)] += passed_us;
  unused_us_[index_of(bucket_)] += passed_us * unused_;
  totals_of(cause_)[index_of(bucket_)] += passed_us;
  if (bucket_ == Bucket::kProductive) {
    if (productive_.empty() || productive_.back().cause != cause_ ||
        productive_.back().unused != unused_) {
      productive_.push_back({cause_, unused_, 0});
    }
    productive_.back().us += passed_us;
    worked_until_us_ = at_us;
  }
}

std::int64_t Ledger::roll_back(std::int64_t kept_productive_us, Cause cause) {
  const std::int64_t moved_us = std::max<std::int64_t>(
      0, totals_us_[index_of(Bucket::kProductive)] - std::max<std::int64_t>(0, kept_productive_us));
  move_productive(moved_us, Bucket::kRolledBack, cause);
  return moved_us;
}

std::int64_t Ledger::straggle(std::int64_t us, Cause cause) {
  const std::int64_t moved_us =
      std::clamp<std::int64_t>(us, 0, totals_us_[index_of(Bucket::kProductive)]);
  move_productive(moved_us, Bucket::kStraggling, cause);
  return moved_us;
}

// The work that was done last is moved first.
void Ledger::move_productive(std::int64_t us, Bucket to, Cause cause) {
  for (std::int64_t left_us = us; left_us > 0;) {
    AFTERSHOCK_ASSERT(!productive_.empty());
    Stretch& last = productive_.back();
    const std::int64_t part_us = std::min(left_us, last.us);
    totals_of(last.cause)[index_of(Bucket::kProductive)] -= part_us;
    unused_us_[index_of(Bucket::kProductive)] -= part_us * last.unused;
    unused_us_[index_of(to)] += part_us * last.unused;
    last.us -= part_us;
    left_us -= part_us;
    if (last.us == 0) {
      productive_.pop_back();
    }
  }
  if (us > 0) {
    totals_us_[index_of(Bucket::kProductive)] -= us;
    totals_us_[index_of(to)] += us;
    totals_of(cause)[index_of(to)] += us;
  }
}

std::int64_t Ledger::productive_us(std::int64_t at_us) const {
  AFTERSHOCK_ASSERT(at_us >= since_us_);
  const std::int64_t closed_us = totals_us_[index_of(Bucket::kProductive)];
  return bucket_ == Bucket::kProductive ? closed_us + (at_us - since_us_) : closed_us;
}

BucketTotals Ledger::accelerator_totals_us() const {
  BucketTotals totals{};
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    totals[i] = totals_us_[i] * accelerators_ - unused_us_[i];
  }
  return totals;
}

std::int64_t Ledger::reduced_accelerator_us() const {
  return std::accumulate(unused_us_.begin(), unused_us_.end(), std::int64_t{0});
}

// Where the fault is, or would be. The newest one is asked for nearly always.
std::size_t Ledger::place_of(std::uint32_t number) const {
  if (!faults_us_.empty() && faults_us_.back().number <= number) {
    return faults_us_.size() - (faults_us_.back().number == number ? 1U : 0U);
  }
  const auto place = std::ranges::lower_bound(faults_us_, number, {}, &FaultTotals::number);
  return static_cast<std::size_t>(place - faults_us_.begin());
}

BucketTotals Ledger::fault_totals_us(std::uint32_t number) const {
  const std::size_t place = place_of(number);
  return place < faults_us_.size() && faults_us_[place].number == number ? faults_us_[place].us
                                                                         : BucketTotals{};
}

const BucketTotals& Ledger::common_totals_us(Cause cause) const {
  return common_us_[common_index(cause)];
}

BucketTotals& Ledger::totals_of(Cause cause) {
  if (!cause.is_fault()) {
    return common_us_[common_index(cause)];
  }
  const auto number = static_cast<std::uint32_t>(cause.value);
  const std::size_t place = place_of(number);
  if (place == faults_us_.size() || faults_us_[place].number != number) {
    faults_us_.insert(faults_us_.begin() + static_cast<std::ptrdiff_t>(place),
                      FaultTotals{number, {}});
  }
  return faults_us_[place].us;
}

}  // namespace aftershock::reports
