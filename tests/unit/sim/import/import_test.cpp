#include "sim/import/import.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "policies/api/json_as_text.h"
#include "sim/import/incident.h"
#include "sim/import/observed.h"
#include "sim/import/sniff.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::imports {
namespace {

/// Four nodes, a job on all of them, from 18:00 in a zone eight hours ahead.
constexpr const char* kBase = R"({"schema": 1, "name": "base", "start": "2026-11-20T18:00:00+08:00",
 "until": "1d",
 "cluster": {"pools": [{"name": "gpu", "nodes": 4, "accelerators": {"kind": "gpu", "per_node": 2}}]},
 "jobs": [{"name": "llm", "workers": 8, "steps": 5000, "step": "10s",
           "policy": {"name": "ray_train", "config": {"max_failures": 3}}}]})";

/// A file that is gone with this.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("aftershock-import-" + std::to_string(::getpid()) + ".json")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// The faults that came in, a line each; or the errors.
std::string faults_or_errors(const ImportRequest& request) {
  const auto imported = import_faults(request);
  std::string out;
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&imported)) {
    for (const scenario::ScenarioError& error : *errors) {
      out += scenario::format(error) + "\n";
    }
    return out;
  }
  const auto& result = std::get<Imported>(imported);
  for (const auto& fault : result.faults.faults) {
    out += policies::text_from_json(fault) + "\n";
  }
  for (const Dropped& dropped : result.faults.dropped) {
    out += dropped.why + ":";
    for (const std::uint64_t line : dropped.lines) {
      out += " " + std::to_string(line);
    }
    out += "\n";
  }
  return out;
}

std::string incident(const std::string& rows) {
  const TemporaryFile base(kBase);
  return faults_or_errors(
      {.path = "night.csv", .text = "time,kind,target,detail\n" + rows, .into = base.path()});
}

TEST(Incident, BecomesScriptedFaults) {
  EXPECT_EQ(
      incident("2026-11-20T19:00:00+08:00,node_crash,node:gpu-1,power supply\n"
               "2026-11-20T11:30:00Z,recovered,node:gpu-1,\n"
               "2026-11-20 20:00:00,accelerator_fault,accelerator:gpu-2/1,code=xid:94\n"
               "10800,preemption,node:gpu-3,\"notice=2min; lasts=1h; spot, taken back\"\n"
               "3.5h,worker_crash,job:llm/rank:5,how=exit; exit_code=3\n"),
      R"({"id":"night-2","kind":"node_crash","label":"power supply","target":"node:gpu-1","at":"1h","lasts":"30min"})"
      "\n"
      R"({"id":"night-4","kind":"accelerator_fault","target":"accelerator:gpu-2/1","at":"2h","code":"xid:94"})"
      "\n"
      R"({"id":"night-5","kind":"preemption","label":"spot, taken back","target":"node:gpu-3","at":"3h","notice":"2min","lasts":"1h"})"
      "\n"
      R"({"id":"night-6","kind":"worker_crash","target":"job:llm/rank:5","at":"3.5h","how":"exit","exit_code":3})"
      "\n");
}

TEST(Incident, OverlapsAreMergedAndTheRestIsDroppedWithItsLines) {
  EXPECT_EQ(
      incident("1h,node_crash,node:gpu-1,lasts=1h; fan\n"
               "1.5h,preemption,node:gpu-1,lasts=1h; taken\n"  // until 2.5 h
               "2.5h,node_crash,node:gpu-1,lasts=30min\n"      // touches: until 3 h
               "4h,node_crash,node:gpu-1,lasts=1h\n"
               "1h,worker_crash,job:llm/rank:0,\n"
               "1h,worker_crash,job:llm/rank:0,\n"
               "30min,recovered,node:gpu-2,\n"
               "2026-11-20T17:00:00+08:00,node_crash,node:gpu-3,\n"
               "30h,node_crash,node:gpu-3,\n"),
      R"({"id":"night-2","kind":"node_crash","label":"fan + taken","target":"node:gpu-1","at":"1h","lasts":"2h"})"
      "\n"
      R"({"id":"night-6","kind":"worker_crash","target":"job:llm/rank:0","at":"1h"})"
      "\n"
      R"({"id":"night-5","kind":"node_crash","target":"node:gpu-1","at":"4h","lasts":"1h"})"
      "\n"
      "before the scenario's start, 2026-11-20T18:00:00+08:00: 9\n"
      "after the scenario's end, 1d: 10\n"
      "not dropped, but sorted: earlier than the row before: 6 8\n"
      "a recovery of what is not known to ail: 8\n");
}

TEST(Incident, ErrorsNameLineColumnAndTheNearestName) {
  struct Case {
    const char* rows;
    const char* begins;
    const char* holds;
  };
  const Case cases[] = {
      {"1h,node_crush,node:gpu-1,\n", "night.csv:2:4: ", "did you mean \"node_crash\"?"},
      {"1h,node_crash,node:gpu-7,\n", "night.csv:2:15: ", "gpu-7"},
      {"1h,node_crash,node:gqu-1,\n", "night.csv:2:15: ", "did you mean"},
      {"1h,node_crash,node:gpu-1,lasts=1 hour\n", "night.csv:2:26: ", "1 hour"},
      {"1h,node_crash,node:gpu-1,lusts=1h\n", "night.csv:2:26: ", "did you mean \"lasts\"?"},
      {"1h,accelerator_fault,accelerator:gpu-0/0,\n", "night.csv:2:", "code"},
      {"soon,node_crash,node:gpu-1,\n", "night.csv:2:1: ", "soon"},
      {"1h,node_crash\n", "night.csv:2:1: 2 columns", "time,kind,target,detail"},
      {"1h,node_crash,node:gpu-1,a,b\n", "night.csv:2:1: 5 columns", "in quotes"},
  };
  for (const Case& each : cases) {
    const std::string errors = incident(each.rows);
    EXPECT_TRUE(errors.starts_with(each.begins)) << errors;
    EXPECT_NE(errors.find(each.holds), std::string::npos) << errors;
  }
  EXPECT_NE(faults_or_errors({.path = "n.csv", .text = "time,kind,target\n"}).find("--into"),
            std::string::npos);
  EXPECT_NE(faults_or_errors({.path = "n.csv", .text = "time,kynd,target\n", .format = "incident"})
                .find("--into"),
            std::string::npos);
}

TEST(OutagesCsv, DatesAndNumbersComeToTheSame) {
  const TemporaryFile base(kBase);
  const std::string expected =
      R"({"id":"o-2","kind":"node_crash","label":"fan","target":"node:gpu-2","at":"1h","lasts":"30min"})"
      "\n"
      R"({"id":"o-3","kind":"preemption","target":"node:gpu-0","at":"118min","notice":"2min"})"
      "\n";
  for (const char* text : {"node,down,up,kind,notice,cause\n"
                           "gpu-2,2026-11-20T19:00:00+08:00,2026-11-20T11:30:00Z,,,fan\n"
                           "gpu-0,2026-11-20T20:00:00+08:00,,preemption,2min,\n",
                           "cause,notice,kind,up,down,node\nfan,,node_crash,1.5h,3600,gpu-2\n"
                           ",2min,preemption,,2h,gpu-0\n"}) {
    EXPECT_EQ(faults_or_errors({.path = "o.csv", .text = text, .into = base.path()}), expected);
  }
}

TEST(OutagesCsv, WrongInputNamesItsPlace) {
  struct Case {
    const char* text;
    const char* begins;
  };
  const Case cases[] = {
      {"node,dawn\n", "o.csv:1:6: unknown column \"dawn\""},
      {"node\n", "o.csv:1:1: no column down"},
      {"node,down,node\n", "o.csv:1:11: a second column node"},
      {"node,down\ngpu-0,1h,2h\n", "o.csv:2:1: 3 columns"},
      {"node,down,up\ngpu-0,2h,1h\n", "o.csv:2:10: it was back before it went"},
      {"node,down,up\ngpu-0,1h,2026-11-20T19:00:00Z\n",
       "o.csv:2:10: \"2026-11-20T19:00:00Z\" is a date"},
      {"node,down\n,1h\n", "o.csv:2:1: no node is named"},
      {"node,down,kind\ngpu-0,1h,crash\n", "o.csv:2:10: unknown kind of outage \"crash\""},
      {"", "o.csv: the file is empty"},
  };
  for (const Case& each : cases) {
    const std::string errors =
        faults_or_errors({.path = "o.csv", .text = each.text, .format = "csv"});
    EXPECT_TRUE(errors.starts_with(each.begins)) << errors;
  }
}

TEST(Bamboo, InstancesTakePlacesInTurn) {
  const auto read =
      read_trace("bamboo", "0,add,a\n10,add,b\n20,remove,a\n50,add,c\n90,remove,b\n", "t.csv");
  const auto& trace = std::get<Trace>(read);
  // a, then c, on place 0; b on place 1.
  ASSERT_EQ(trace.nodes.size(), 2U);
  ASSERT_EQ(trace.outages.size(), 3U);
  EXPECT_EQ(trace.outages[0].node, 1U);
  EXPECT_EQ(trace.outages[0].down_us, 0);
  EXPECT_EQ(trace.outages[0].up_us, 10'000);
  EXPECT_EQ(trace.outages[1].node, 0U);
  EXPECT_EQ(trace.outages[1].down_us, 20'000);
  EXPECT_EQ(trace.outages[1].up_us, 50'000);
  EXPECT_EQ(trace.outages[2].node, 1U);
  EXPECT_FALSE(trace.outages[2].up_us);
  const TraceFigures figures = figures_of(trace, 2);
  // Node time up to 90 ms: a 20, c 40, b 80.
  EXPECT_NEAR(figures.up_mean, 140.0 / 90, 1e-12);
  EXPECT_EQ(figures.up_most, 2);
}

TEST(Merged, OverlapsOfANodeAreOneOutage) {
  Outage first{.node = 0, .down_us = 10, .up_us = 30, .notice_us = {}, .cause = "a", .line = 1};
  Outage second{.node = 0, .down_us = 20, .up_us = 50, .notice_us = {}, .cause = "b", .line = 2};
  Outage other{.node = 1, .down_us = 25, .up_us = 26, .notice_us = {}, .cause = "b", .line = 3};
  Outage later{.node = 0, .down_us = 51, .up_us = {}, .notice_us = {}, .cause = "b", .line = 4};
  const auto whole = merged({first, second, other, later});
  ASSERT_EQ(whole.size(), 3U);
  EXPECT_EQ(whole[0].up_us, 50);
  EXPECT_EQ(whole[0].cause, "a + b");
  EXPECT_EQ(whole[1].node, 1U);
  EXPECT_FALSE(whole[2].up_us);
}

TEST(Sniff, FormatsAreKnownByTheirBeginning) {
  const std::pair<const char*, const char*> cases[] = {
      {" [{\"node_id\": 1}]", "infinitehbd"},
      {"480000,add,node1\n", "bamboo"},
      {"2021-12-11, 11:11:30, 55\n", "bamboo"},
      {"\xEF\xBB\xBFtime,kind,target,detail\r\n", "incident"},
      {"down,node\n", "csv"},
      {"hello", ""},
      {"", ""},
      {"\xFF\xFE", ""}};
  for (const auto& [text, format] : cases) {
    EXPECT_EQ(sniff_format(text), format) << text;
  }
}

TEST(Observed, TimesAreInTheScenariosZone) {
  const TemporaryFile base(kBase);
  const auto imported = import_faults({.path = "n.csv",
                                       .text = "time,kind,target\n1h,node_crash,node:gpu-0\n",
                                       .into = base.path()});
  const scenario::Scenario& scenario = std::get<Imported>(imported).read;
  constexpr std::int64_t kMinute = 60'000'000;
  const std::pair<const char*, std::int64_t> cases[] = {
      {"failed@03:12", (9 * 60 + 12) * kMinute},
      {"failed@17:59:30", 24 * 60 * kMinute - kMinute / 2},
      {"failed@18:00", 0},
      {"llm:failed@9.2h", (9 * 60 + 12) * kMinute},
      {"failed@2026-11-20T19:12:00Z", (9 * 60 + 12) * kMinute},
      {"failed@2026-11-21T03:12:00", (9 * 60 + 12) * kMinute}};
  for (const auto& [text, at_us] : cases) {
    const auto observed = parse_observed(text, scenario);
    ASSERT_TRUE(std::holds_alternative<ObservedEnd>(observed)) << text;
    EXPECT_EQ(std::get<ObservedEnd>(observed).at_us, at_us) << text;
  }
  for (const char* text : {"", "failed", "faild@03:12", "x:failed@03:12", "failed@25:00", "failed@",
                           "failed@2026-11-20T00:00:00Z"}) {
    EXPECT_TRUE(std::holds_alternative<scenario::TextProblem>(parse_observed(text, scenario)))
        << text;
  }
}

TEST(Observed, TheLeastChangeThatAgreesIsFound) {
  const TemporaryFile base(kBase);
  // Ranks that crash at every hour; with max_failures n the job fails with the (n+1)th.
  std::string rows = "time,kind,target\n";
  for (int hour = 1; hour <= 6; ++hour) {
    rows += std::to_string(hour) + "h,worker_crash,job:llm/rank:0\n";
  }
  const auto imported = import_faults({.path = "n.csv", .text = rows, .into = base.path()});
  const auto& scenario = std::get<Imported>(imported).scenario;
  struct Case {
    std::int64_t hours;
    bool agrees;
    const char* set;
  };
  const Case cases[] = {{4, true, ""},
                        {3, false, "/jobs/0/policy/config/max_failures=2"},
                        {5, false, "/jobs/0/policy/config/max_failures=4"},
                        {2, false, "/jobs/0/policy/config/max_failures=1"}};
  constexpr std::int64_t kAnHourUs = 3'600'000'000;
  for (const Case& each : cases) {
    const ObservedAnswer answer = judge_observed(
        scenario, {.outcome = "failed", .at_us = each.hours * kAnHourUs}, kAnHourUs / 4);
    EXPECT_EQ(answer.simulated.outcome, "failed");
    EXPECT_EQ(answer.agrees, each.agrees);
    EXPECT_EQ(answer.least ? answer.least->set : "", each.set);
  }
  const ObservedAnswer never =
      judge_observed(scenario, {.outcome = "aborted", .at_us = kAnHourUs}, kAnHourUs);
  EXPECT_FALSE(never.agrees);
  EXPECT_FALSE(never.least);
  EXPECT_LE(never.tried, kMostChanges);
}

}  // namespace
}  // namespace aftershock::sim::imports
