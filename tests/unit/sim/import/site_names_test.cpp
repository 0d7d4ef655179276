#include "sim/import/site_names.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

scenario::Scenario scenario_with(const std::string& pools) {
  auto read = scenario::read_scenario_text(
      R"({"schema": 1, "name": "base", "until": "1d", "cluster": {"pools": [)" + pools + R"(]},
          "jobs": [{"name": "llm", "pool": "gpu", "workers": 8, "step": "10s",
                    "policy": {"name": "ray_train"}}]})",
      "base.json");
  return std::get<scenario::ReadScenario>(std::move(read)).scenario;
}

const std::string kPool = R"({"name": "gpu", "nodes": 4, "spares": 1})";

SiteNamesResult read(const std::string& text, const std::string& pools = kPool,
                     const std::string& pool = {}) {
  return read_site_names(text, "names.csv", scenario_with(pools), pool);
}

std::string errors_of(const SiteNamesResult& result) {
  std::string text;
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    for (const scenario::ScenarioError& error : *errors) text += scenario::format(error) + "\n";
  }
  return text;
}

TEST(SiteNames, AMapIsReadWithOrWithoutItsTitle) {
  for (const char* text :
       {"cn-17,gpu-2\ncn-18,gpu-spare-0\n", "site,node\ncn-17,2\ncn-18,4\n",
        "\xEF\xBB\xBFhost,Node Name\r\n cn-17 , gpu-2 \r\n\r\n# a line\r\ncn-18,gpu-spare-0\r\n"}) {
    auto result = read(text);
    ASSERT_EQ(errors_of(result), "") << text;
    const auto& sites = std::get<SiteNames>(result);
    EXPECT_EQ(sites.by, "names.csv");
    EXPECT_THAT(sites.names, ElementsAre("cn-17", "cn-18"));
    EXPECT_EQ(sites.node_of.at("cn-17"), "gpu-2") << text;
    EXPECT_EQ(sites.node_of.at("cn-18"), "gpu-spare-0") << text;
  }
}

TEST(SiteNames, WhatIsWrongWithAMapNamesItsPlace) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& each : {
           Case{"a,gpu-1\na,gpu-2\n",
                "names.csv:2:1: \"a\" is gpu-1 already; expected each machine"},
           Case{"a,gpu-1\nb,1\n", "names.csv:2:3: gpu-1 is \"a\" already; expected each node once"},
           Case{"a,gpu-1\nb,gqu-2\n", "names.csv:2:3: there is no node \"gqu-2\""},
           Case{"a,gpu-1\nb,gqu-2\n", "did you mean \"gpu-2\"?"},
           Case{"a,5\n", "names.csv:1:3: pool \"gpu\" has no node 5; expected at most 4"},
           Case{"a\n", "names.csv:1:1: 1 column; expected two"},
           Case{"a,gpu-1,x\n", "names.csv:1:1: 3 columns; expected two"},
           Case{",gpu-1\n", "names.csv:1:1: names no machine"},
           Case{"site,node\n", "names.csv: names no machine; expected rows such as"},
           Case{"", "names.csv: names no machine"},
           Case{"a,\"gpu-1\n", "names.csv:1:"},
       }) {
    EXPECT_THAT(errors_of(read(each.text)), HasSubstr(each.says)) << each.text;
  }
  const std::string two = kPool + R"(, {"name": "cpu", "nodes": 2})";
  EXPECT_THAT(errors_of(read("a,1\n", two)), HasSubstr("several pools; expected the node's name"));
  EXPECT_EQ(std::get<SiteNames>(read("a,1\nb,gpu-0\n", two, "cpu")).node_of.at("a"), "cpu-1");
}

TEST(SiteNames, EveryMachineNeedsARowAndRowsTooManyAreCounted) {
  const auto map = std::get<SiteNames>(read("a,gpu-3\nb,gpu-1\nc,gpu-0\n"));
  const auto sites = std::get<SiteNames>(sites_in(map, {"b", "a"}));
  EXPECT_THAT(sites.names, ElementsAre("b", "a"));
  EXPECT_THAT(sites.unused, ElementsAre("c"));
  EXPECT_EQ(sites_text(sites), "b is gpu-1, a is gpu-3");
  EXPECT_EQ(errors_of(sites_in(map, {"d", "a", "e", "f", "g", "h", "i", "j"})),
            "names.csv: has no row for 7 of 8 machines: d, e, f, g, h and 2 more; expected a row "
            "for each\n");
}

TEST(SiteNames, InTheOrderOfNamesSparesComeLast) {
  const scenario::Scenario scenario = scenario_with(kPool);
  const scenario::PoolSpec& pool = scenario.cluster.pools[0];
  const auto sites = std::get<SiteNames>(sites_in_order({"e", "d", "c", "b", "a"}, pool));
  EXPECT_EQ(sites.node_of.at("a"), "gpu-0");
  EXPECT_EQ(sites.node_of.at("e"), "gpu-spare-0");
  EXPECT_THAT(errors_of(sites_in_order({"a", "b", "c", "d", "e", "f"}, pool)),
              HasSubstr("6 machines are named, and pool \"gpu\" has 5 nodes"));
}

TEST(SiteNames, AreInTheOrderThatPeopleCountIn) {
  EXPECT_THAT(
      in_order_of_names(
          {"cn-10", "\xc3\xa9", "cn-9", "b", "cn-09", "cn-9a", "cn", "a7-2", "a7-10"}),
      ElementsAre("a7-2", "a7-10", "b", "cn", "cn-09", "cn-9", "cn-9a", "cn-10", "\xc3\xa9"));
}

TEST(SiteNames, TargetsNameMachines) {
  const auto map = std::get<SiteNames>(read("cn-17,gpu-2\ncn-18,gpu-0\n"));
  EXPECT_THAT(machines_of_incident("time,kind,target\n1h,node_crash,node:cn-18\n"
                                   "2h,x,accelerator:cn-19/3\n3h,x,node:cn-18\n4h,x,job:llm\n"
                                   "5h,x,link:cn-17/gpu/0\n6h\n",
                                   "night.csv", map),
              ElementsAre("cn-18", "cn-19", "cn-17"));
  EXPECT_EQ(with_nodes(map, "node:cn-17"), "node:gpu-2");
  EXPECT_EQ(with_nodes(map, "accelerator:cn-18/3"), "accelerator:gpu-0/3");
  EXPECT_EQ(with_nodes(map, "link:cn-17/gpu/0"), "link:gpu-2/gpu/0");
  for (const char* same : {"job:cn-17", "node:cn-1", "rack:gpu/0", "accelerator:cn-9/1", "", "x"}) {
    EXPECT_EQ(with_nodes(map, same), same);
  }
}

TEST(SiteNames, ATypingErrorIsNoMachineOfASite) {
  const scenario::Scenario scenario = scenario_with(kPool);
  EXPECT_TRUE(is_foreign(scenario, "cn-17"));
  EXPECT_TRUE(is_foreign(scenario, "a100.rack3.example.org"));
  for (const char* name : {"gpu-0", "gpu-spare-0", "gpu-99", "gqu-1", ""}) {
    EXPECT_FALSE(is_foreign(scenario, name)) << name;
  }
  EXPECT_FALSE(is_foreign(scenario, std::string(1000, 'g')));
}

TEST(SiteNames, NotesHoldAllOfThem) {
  EXPECT_THAT(site_notes({}, "night.csv"), IsEmpty());
  SiteNames sites;
  for (int i = 0; i < 17; ++i) {
    sites.names.push_back("h" + std::to_string(i));
    sites.node_of["h" + std::to_string(i)] = "gpu-" + std::to_string(i);
  }
  const auto notes = site_notes(sites, "night.csv");
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[0], HasSubstr("h0 is gpu-0, h1 is gpu-1, "));
  EXPECT_EQ(notes[1], "Machines of night.csv (in the order of their names): h16 is gpu-16");
  sites.by = "site/names.csv";
  EXPECT_THAT(site_notes(sites, "night.csv")[1],
              ::testing::StartsWith("Machines of night.csv (by names.csv): h16"));
}

}  // namespace
}  // namespace aftershock::sim::imports
