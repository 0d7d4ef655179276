#include "gui/why/fault_bills.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

/// Two jobs; x strikes twice, masked the second time, and y costs nobody anything.
Trace billed() {
  Trace trace;
  trace.reading = false;
  trace.ledgers.push_back(
      {trace.entities.add("job:a"),
       R"({"us":{},"faults":[{"fault":"x","us":{"restoring":5,"launching":3}}]})"});
  trace.ledgers.push_back(
      {trace.entities.add("job:b"),
       R"({"us":{},"faults":[{"fault":"x","us":{"launching":6}},{"fault":"z","us":{"launching":1}}]})"});
  const TextId x = trace.texts.add("x");
  trace.faults.push_back({.t_us = 40, .id = x, .fired = true});
  trace.faults.push_back({.t_us = 50, .id = trace.texts.add("y"), .fired = true});
  trace.faults.push_back({.t_us = 60, .id = x, .fired = false});
  trace.decisions.push_back({.t_us = 41, .fault = x});
  trace.decisions.push_back({.t_us = 42, .fault = x});
  trace.decisions.push_back({.t_us = 43, .fault = kNoText});
  trace.summary_json =
      R"({"jobs":[{"name":"a","recoveries":[{"fault":"x","detected_us":44,"running_us":70,)"
      R"("lost_us":9}]},{"name":"b","recoveries":[{"fault":"x","detected_us":42,"running_us":60,)"
      R"("lost_us":2}]}]})";
  return trace;
}

TEST(FaultBills, AreForAllJobsTogether) {
  const Trace trace = billed();
  const FaultBills all = fault_bills(trace, accounts_of(trace));
  ASSERT_EQ(all.bills.size(), 3U);
  const FaultBill& x = all.bills[0];
  EXPECT_EQ(x.cost_us, 14);
  EXPECT_EQ(all.buckets[x.mostly], "launching");
  EXPECT_EQ(x.lost_us, 11);
  EXPECT_EQ(x.detected_us, 42) << "the first of them";
  EXPECT_EQ(x.running_us, 70) << "the last of them";
  EXPECT_EQ(x.decisions, 2U);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(all.bills[i].fault, i);
    EXPECT_EQ(all.bills[i].cost_us, 0);
    EXPECT_EQ(all.bills[i].detected_us, std::nullopt);
    EXPECT_EQ(all.bills[i].decisions, 0U);
  }
}

TEST(FaultBills, SayOnWhatMostOfThemWentInAllJobs) {
  Trace trace;
  trace.reading = false;
  const char* const us[] = {R"({"launching":10})", R"({"undetected":6})", R"({"undetected":6})"};
  for (std::size_t i = 0; i < 3; ++i) {
    trace.ledgers.push_back(
        {trace.entities.add("job:" + std::to_string(i)),
         std::string(R"({"us":{},"faults":[{"fault":"x","us":)") + us[i] + "}]}"});
  }
  trace.faults.push_back({.t_us = 40, .id = trace.texts.add("x"), .fired = true});
  const FaultBills all = fault_bills(trace, accounts_of(trace));
  EXPECT_EQ(all.buckets[all.bills[0].mostly], "undetected");
}

}  // namespace
}  // namespace aftershock::gui
