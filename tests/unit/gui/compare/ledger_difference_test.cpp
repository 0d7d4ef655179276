#include "gui/compare/ledger_difference.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

Trace with_ledger(const char* entity, const char* json) {
  Trace trace;
  trace.ledgers.push_back({trace.entities.add(entity), json});
  return trace;
}

TEST(LedgerDifference, PairsBuckets) {
  const Trace a = with_ledger("job:x", R"({"us":{"productive":5,"paused":1}})");
  const auto pairs = pair_ledgers(a, with_ledger("job:x", R"({"us":{"paused":2,"later":3}})"));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs.front().entity, "job:x");
  const std::vector<BucketPair> expected{{"productive", 5, 0}, {"paused", 1, 2}, {"later", 0, 3}};
  EXPECT_EQ(pairs.front().buckets, expected);
  EXPECT_TRUE(pair_ledgers(a, with_ledger("job:y", "{}")).empty());
}

TEST(LedgerDifference, OfWhatIsNoLedgerIsNothing) {
  const Trace a = with_ledger("job:x", R"({"us":{"productive":5}})");
  for (const char* text : {"", "[]", "{", R"({"us":7})", R"({"us":{"productive":"5"}})", "\xff"}) {
    const auto pairs = pair_ledgers(with_ledger("job:x", text), a);
    ASSERT_EQ(pairs.size(), 1U) << text;
    const std::vector<BucketPair> expected{{"productive", 0, 5}};
    EXPECT_EQ(pairs.front().buckets, expected) << text;
  }
}

}  // namespace
}  // namespace aftershock::gui
