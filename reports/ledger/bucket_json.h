#pragma once

#include "reports/ledger/ledger.h"

namespace aftershock::reports {

/// A member that is the account of accelerator time: every bucket, then what was not used.
inline void write_accelerator_totals(auto& json, std::string_view key, const BucketTotals& totals,
                                     std::int64_t reduced_us) {
  json.key(key);
  json.open_object();
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    json.member(kBucketNames[i], totals[i]);
  }
  json.member("reduced", reduced_us);
  json.close_object();
}

/// A member that is an object with every bucket in its order, or only with those that are not zero.
inline void write_totals(auto& json, std::string_view key, const BucketTotals& totals,
                         bool zeros = true) {
  json.key(key);
  json.open_object();
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    if (zeros || totals[i] != 0) {
      json.member(kBucketNames[i], totals[i]);
    }
  }
  json.close_object();
}

}  // namespace aftershock::reports
