#pragma once

#include <nlohmann/json.hpp>

#include "reports/ledger/ledger.h"

namespace aftershock::reports {

/// An object with every bucket in its order, or only with those that are not zero.
inline nlohmann::ordered_json to_json(const BucketTotals& totals, bool zeros = true) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    if (zeros || totals[i] != 0) {
      object[std::string(kBucketNames[i])] = totals[i];
    }
  }
  return object;
}

/// One line; text that is not UTF-8 is replaced rather than refused.
inline std::string to_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace aftershock::reports
