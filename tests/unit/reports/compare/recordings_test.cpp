#include "reports/compare/recordings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/reports/compare/sample_steps.h"

namespace aftershock::reports {
namespace {

RecordedRun recorded(std::vector<RecordedFault> faults) {
  RecordedRun run;
  run.faults = std::move(faults);
  run.last_us = 100;
  run.summary = R"({"jobs":[{"name":"llm","useful_share":0.25,"useful_us":2000000,)"
                R"("ettr":0.5,"wall_us":4000000,"attempts":0,)"
                R"("ledger_us":{"productive":2000000,"restoring":2000000}}]})";
  run.decisions.steps = {testing::sample_step(5, "f", "p.retry")};
  return run;
}

Record span(std::string_view on, std::string_view what) {
  Record record;
  record.kind = LineKind::kBegin;
  record.on = on;
  record.what = what;
  return record;
}

TEST(Recordings, CountAttemptsThatHaveOnlyWaitedForNodes) {
  struct Case {
    const char* name;
    std::vector<std::string_view> spans;  // of the job, in order
    std::int64_t unplaced;
  };
  const Case cases[] = {
      {"none", {}, 0},
      {"one that waits before it launches", {"attempt", "waiting_for_capacity", "launching"}, 0},
      {"one that trained, and then waits", {"attempt", "training", "waiting_for_capacity"}, 0},
      {"the last", {"attempt", "launching", "attempt", "waiting_for_capacity"}, 1},
      {"one between", {"attempt", "waiting_for_capacity", "attempt", "launching"}, 1},
      {"one that the recording ends with", {"attempt"}, 0},
      {"time before the first", {"waiting_for_capacity", "attempt", "launching"}, 0},
  };
  for (const Case& one : cases) {
    RecordedRunBuilder builder;
    for (const std::string_view what : one.spans) {
      builder.add(span("job:llm", what));
      builder.add(span("node:gpu-1", "down"));
    }
    EXPECT_EQ(builder.finish({}, "a.aftershock").unplaced, one.unplaced) << one.name;
  }
}

TEST(Recordings, HaveTheSameFaultsAtTheTimesOfALiveRun) {
  const RecordedFault f{10, "f", "node_crash", "pool:gpu", "node:gpu-1"};
  RecordedFault later = f;
  later.t_us = 70;
  EXPECT_FALSE(compare_faults(recorded({f}), recorded({later})).is_same());
  RecordedRun live = recorded({later});
  live.backend = "ray";
  live.last_us = 50;
  EXPECT_TRUE(compare_faults(recorded({f}), live).is_same());
  later.kind = "hang";
  live.faults = {later};
  EXPECT_FALSE(compare_faults(recorded({f}), live).is_same());
}

TEST(Recordings, HaveTheSameFaultsUpToTheEndOfTheShorter) {
  const RecordedFault f{10, "f", "node_crash", "pool:gpu", "node:gpu-1"};
  const RecordedFault again{20, "f", "node_crash", "pool:gpu", "node:gpu-2"};
  const auto with = [](RecordedFault fault, auto&& change) {
    change(fault);
    return fault;
  };
  struct Case {
    const char* name;
    std::vector<RecordedFault> b;
    FaultsMet met;
  };
  const Case cases[] = {
      {"the same", {f, again}, {2, 0, 0, 0, ""}},
      {"elsewhere, but aimed alike",
       {with(f, [](RecordedFault& x) { x.on = "job:llm"; }), again},
       {2, 0, 0, 0, ""}},
      {"another time", {f, with(again, [](RecordedFault& x) { x.t_us = 21; })}, {1, 1, 0, 0, "f"}},
      {"another kind",
       {with(f, [](RecordedFault& x) { x.kind = "hang"; }), again},
       {1, 1, 0, 0, "f"}},
      {"one less", {f}, {1, 0, 1, 0, "f"}},
      {"one more", {f, again, {15, "g", "hang", "job:llm", ""}}, {2, 0, 0, 1, "g"}},
      {"one behind the end", {f, again, {101, "g", "hang", "job:llm", ""}}, {2, 0, 0, 0, ""}},
  };
  for (const Case& each : cases) {
    const FaultsMet met = compare_faults(recorded({f, again}), recorded(each.b));
    EXPECT_EQ(met.same, each.met.same) << each.name;
    EXPECT_EQ(met.changed, each.met.changed) << each.name;
    EXPECT_EQ(met.only_a, each.met.only_a) << each.name;
    EXPECT_EQ(met.only_b, each.met.only_b) << each.name;
    EXPECT_EQ(met.first, each.met.first) << each.name;
  }
}

TEST(Recordings, AreHeldAgainstEachOtherByWhatTheirScenariosSet) {
  RecordedRun a = recorded({});
  RecordedRun b = recorded({});
  a.text = R"({"name":"s","jobs":[{"policy":{"name":"p","config":{"max":3}},"steps":10}]})";
  b.text =
      R"({"name":"t","jobs":[{"policy":{"name":"p","config":{}},"steps":9,"env":{"A/~":"1"}}]})";
  const std::vector<OtherSetting> expected{{"/jobs/0/env/A~1~0", std::nullopt, "\"1\""},
                                           {"/jobs/0/policy/config", std::nullopt, "{}"},
                                           {"/jobs/0/policy/config/max", "3", std::nullopt},
                                           {"/jobs/0/steps", "10", "9"}};
  EXPECT_EQ(other_settings(a, b), expected);
  EXPECT_TRUE(other_settings(a, a).empty());
  b.text = "not JSON";
  EXPECT_EQ(other_settings(a, b).size(), 3U);
}

TEST(Recordings, AreToldWithLedgerAndDivergence) {
  const RecordedRun a = recorded({});
  RecordedRun b = recorded({});
  b.summary.replace(b.summary.find("0.5"), 3, "0.7");
  b.summary.replace(b.summary.find("0.25"), 4, "0.37");
  b.decisions.steps[0].rule = "p.fail";
  const auto lines = compare_ledgers(a, b);
  ASSERT_EQ(lines.size(), 6U) << "attempts are 0 in both";
  EXPECT_EQ(lines[0].of, "job:llm");
  EXPECT_EQ(lines[0].what, "useful_share");
  EXPECT_EQ(lines[0].b, 0.37);
  EXPECT_EQ(lines[1].what, "useful_us");
  EXPECT_EQ(lines[2].what, "ettr");
  EXPECT_EQ(lines[2].b, 0.7);
  const std::string text = recordings_text(a, b, {});
  for (const char* part : {"the same faults in both, 0 of them", "0.3700", "+0.1200", "+0.2000",
                           "p.retry", "p.fail"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("they ended differently"), std::string::npos) << text;
  RecordedRun stuck = a;
  stuck.summary.replace(stuck.summary.find(R"("name")"), 6, R"("at_end":"stuck","name")");
  const std::string apart = recordings_text(a, stuck, {});
  EXPECT_NE(apart.find("   ended: llm stuck\n"), std::string::npos) << apart;
  EXPECT_NE(apart.find("they ended differently: ETTR"), std::string::npos) << apart;
  EXPECT_EQ(recordings_json(a, b)["divergence"]["differs"], "rule");
  b.faults.push_back({1, "g\x1b", "hang", "job:llm", ""});
  EXPECT_NE(recordings_text(a, b, {}).find("warning: not the same faults"), std::string::npos);
  EXPECT_EQ(recordings_text(a, b, {}).find('\x1b'), std::string::npos);
  b.hash = "0123";
  RecordedRun same = b;
  EXPECT_NE(recordings_text(b, same, {}).find("the same run, event by event"), std::string::npos);
  same.summary.clear();
  EXPECT_TRUE(compare_ledgers(b, same).empty());
}

}  // namespace
}  // namespace aftershock::reports
