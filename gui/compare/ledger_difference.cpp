#include "gui/compare/ledger_difference.h"

#include <algorithm>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"

namespace aftershock::gui {

namespace {

using nlohmann::ordered_json;

/// Buckets and their microseconds, as the line has them; of another form: none.
std::vector<std::pair<std::string, std::int64_t>> buckets_of(const LedgerText& ledger) {
  const auto record = reports::json_or_discarded<ordered_json>(ledger.json);
  std::vector<std::pair<std::string, std::int64_t>> buckets;
  if (!record.is_object() || !record.contains("us") || !record["us"].is_object()) {
    return buckets;
  }
  for (const auto& item : record["us"].items()) {
    if (item.value().is_number_integer()) {
      buckets.emplace_back(item.key(), item.value().get<std::int64_t>());
    }
  }
  return buckets;
}

}  // namespace

std::vector<LedgerPair> pair_ledgers(const Trace& a, const Trace& b) {
  std::vector<LedgerPair> pairs;
  // The first of each.
  std::map<std::uint32_t, const LedgerText*> of_b;
  for (const LedgerText& ledger : b.ledgers) {
    of_b.emplace(ledger.entity, &ledger);
  }
  for (const LedgerText& in_a : a.ledgers) {
    const std::string entity(a.entities[in_a.entity]);
    const auto number = b.entities.find(entity);
    const auto in_b = number ? of_b.find(*number) : of_b.end();
    if (in_b == of_b.end()) {
      continue;
    }
    LedgerPair& pair = pairs.emplace_back();
    pair.entity = entity;
    for (auto& [bucket, us] : buckets_of(in_a)) {
      pair.buckets.push_back({.bucket = std::move(bucket), .a_us = us});
    }
    for (auto& [bucket, us] : buckets_of(*in_b->second)) {
      const auto known = std::ranges::find(pair.buckets, bucket, &BucketPair::bucket);
      if (known != pair.buckets.end()) {
        known->b_us = us;
      } else {
        pair.buckets.push_back({.bucket = std::move(bucket), .b_us = us});
      }
    }
  }
  return pairs;
}

}  // namespace aftershock::gui
