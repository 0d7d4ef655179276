#include "sim/import/fit.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/style.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::imports {
namespace {

Trace trace_of(const std::string& rows) {
  auto read = read_outages_csv("node,down,up,cause\n" + rows, "fleet.csv");
  EXPECT_TRUE(std::holds_alternative<Trace>(read)) << rows;
  return std::get<Trace>(std::move(read));
}

/// A scenario of so many nodes with the faults of a fit.
std::variant<scenario::ReadScenario, std::vector<scenario::ScenarioError>> with_faults(
    const nlohmann::ordered_json& fit, std::uint32_t nodes) {
  return scenario::read_scenario_text(
      fmt::format(R"({{"schema": 1, "name": "fleet", "until": "1d",
 "cluster": {{"pools": [{{"name": "node", "nodes": {},
                          "accelerators": {{"kind": "gpu", "per_node": 1}}}}]}},
 "jobs": [{{"name": "llm", "workers": 1, "steps": 10, "step": "10s", "policy": {{"name": "job"}}}}],
 "faults": {}}})",
                  nodes, policies::text_from_json(fit.at("faults"))),
      "fleet.json");
}

TEST(Fit, TheSourceHasTheRateOfTheTraceHoweverSmall) {
  struct Case {
    const char* rows;
    std::uint32_t nodes;
    const char* source;
    double days;  ///< that nodes are up, over the outages that begin then
  };
  const Case cases[] = {
      // Two nodes for ten days, of which one is away for one.
      {"n0,4d,5d,fan\nn1,10d,10.5d,fan\n", 2, R"({"exponential":{"mtbf":"234h","per":"node"}})",
       9.75},
      // 1,999 nodes for 100.1 days and one for 100.
      {"n0,100d,100.1d,fan\n", 2000, R"({"exponential":{"mtbf":"200200d","per":"node"}})",
       200'199.9},
      // More than 64 bits have microseconds for.
      {"n0,200d,201d,fan\n", 1'000'000, R"({"rate":"1/200999999 node-days"})", 200'999'999},
  };
  for (const Case& each : cases) {
    const TraceFit fit = fit_causes(trace_of(each.rows), each.nodes);
    const auto json = fit_json(fit, "node");
    ASSERT_EQ(json.at("faults").size(), 1U) << each.rows;
    EXPECT_EQ(policies::text_from_json(json["faults"][0]["source"]), each.source);
    const auto read = with_faults(json, each.nodes);
    ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read)) << each.source;
    const auto& faults = std::get<scenario::ReadScenario>(read).scenario.faults;
    EXPECT_NEAR(static_cast<double>(faults[0].source->mean_gap_us) / 86'400e6 / each.days, 1, 1e-5);
  }
}

TEST(Fit, TimeOfANodeStandsWhileItIsAwayWhateverTheCause) {
  // b is up 2 d, away 1 d for its fan, up 1 d, away 1 d for its disk, up 5 d.
  const TraceFit fit =
      fit_causes(trace_of("b,2d,3d,fan\nb,4d,5d,disk\nc,10d,10.5d,fan\nb,10d,10.5d,disk\n"), 2);
  ASSERT_EQ(fit.causes.size(), 3U);
  for (const CauseFit& cause : fit.causes) {
    EXPECT_DOUBLE_EQ(cause.node_hours, (2 + 1 + 5 + 10) * 24) << cause.cause;
  }
}

TEST(Fit, AnOutageThatBeginsWhileItsNodeIsAwayHasALengthAndNoBeginning) {
  const TraceFit fit =
      fit_causes(trace_of("b,1d,3d,fan\nb,2d,4d,disk\nb,6d,7d,fan\nb,7d,8d,disk\n"), 1);
  EXPECT_EQ(fit.overlapping, (std::vector<std::uint64_t>{3, 5}));
  ASSERT_EQ(fit.causes.size(), 3U);
  EXPECT_EQ(fit.causes[0].outages, 4);
  EXPECT_EQ(fit.causes[0].begun, 2);
  EXPECT_DOUBLE_EQ(fit.causes[0].node_hours, (1 + 2) * 24);
  const auto json = fit_json(fit, "node");
  ASSERT_EQ(json.at("faults").size(), 1U) << "the disk failed only while its node was away";
  EXPECT_EQ(json["faults"][0]["label"], "fan");
  const std::string text = fit_text(fit, "node", {});
  EXPECT_NE(text.find("2 outages begin while the node is away for another (lines 3, 5)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("disk: of 2 outages none begins while its node is up"), std::string::npos);
}

TEST(Fit, AnOutageThatTheTraceBeginsWithIsToldAndInNoFit) {
  struct Case {
    const char* rows;
    std::vector<std::uint64_t> at_start;
    double node_hours;
  };
  // The first row of a dated trace is the beginning of its clock, whenever that is.
  const Case cases[] = {
      {"b,0s,1d,fan\nb,3d,4d,fan\nc,0s,,fan\n", {2, 4}, 2 * 24},
      {"b,2026-11-20T18:00:00.5Z,2026-11-21T18:00:00.5Z,fan\nb,2026-11-22T18:00:00Z,"
       "2026-11-23T18:00:00Z,fan\n",
       {2},
       24 - 0.5 / 3600},
  };
  for (const Case& each : cases) {
    const Trace trace = trace_of(each.rows);
    const TraceFit fit = fit_causes(trace, static_cast<std::uint32_t>(trace.nodes.size()));
    EXPECT_EQ(fit.at_start, each.at_start);
    ASSERT_EQ(fit.causes.size(), 1U);
    EXPECT_EQ(fit.causes[0].outages, 1);
    EXPECT_NEAR(fit.causes[0].node_hours, each.node_hours, 1e-9);
    EXPECT_NE(fit_text(fit, "node", {}).find("under way when the trace begins"), std::string::npos);
  }
  const TraceFit nothing = fit_causes(trace_of("b,0s,1d,fan\n"), 1);
  EXPECT_TRUE(nothing.causes.empty());
  EXPECT_NE(fit_text(nothing, "node", {}).find("line 2"), std::string::npos);
}

TEST(Fit, ALawOfRepairsThatNoScenarioCanSayIsNotCutToOneThatItCan) {
  // Seen in hours and once in centuries: the mean of the best law is far beyond a hundred years.
  TraceFit fit;
  CauseFit& fan = fit.causes.emplace_back();
  fan.cause = "fan";
  fan.outages = fan.begun = 6;
  fan.node_hours = 600;
  fan.repair = {{.law = Law::kWeibull, .scale = 1e6, .shape = 0.2},
                {.law = Law::kLognormal, .scale = 30, .shape = 3}};
  auto json = fit_json(fit, "node");
  EXPECT_EQ(policies::text_from_json(json["faults"][0]["lasts"]),
            R"({"lognormal":{"median":"30h","sigma":3.0}})");
  EXPECT_NE(fit_text(fit, "node", {})
                .find("fan: no fault can last as the best law of repairs says, weibull with mean "
                      "5000000d, shape 0.200; the source has lognormal"),
            std::string::npos)
      << fit_text(fit, "node", {});
  fan.repair.pop_back();
  json = fit_json(fit, "node");
  EXPECT_FALSE(json["faults"][0].contains("lasts"));
}

}  // namespace
}  // namespace aftershock::sim::imports
