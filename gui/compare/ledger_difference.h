#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// A bucket of a job's account in two runs.
struct BucketPair {
  std::string bucket;
  std::int64_t a_us = 0;
  std::int64_t b_us = 0;

  friend bool operator==(const BucketPair&, const BucketPair&) = default;
};

/// A job's account in two runs; its buckets in the order of A, those that only B has behind them.
struct LedgerPair {
  std::string entity;  ///< "job:llm"
  std::vector<BucketPair> buckets;
};

/// For the jobs that have an account in both.
std::vector<LedgerPair> pair_ledgers(const Trace& a, const Trace& b);

}  // namespace aftershock::gui
