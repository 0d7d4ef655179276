// Holders of nodes, as recordings tell them. The job runs from 0 on and saves each 100 s.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/recording/memory_sink.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"
#include "tests/unit/sim/world/holdings_check.h"

namespace aftershock::sim::world {
namespace {

std::vector<std::string> recorded(std::string_view text) {
  scenario::ReadResult result = scenario::read_scenario_text(scenario_text(text), "test.json");
  if (!std::holds_alternative<scenario::ReadScenario>(result)) {
    ADD_FAILURE() << std::get<std::vector<scenario::ScenarioError>>(result).front().message;
    return {};
  }
  reports::MemorySink sink;
  simulate::SimulateOptions options;
  options.sink = &sink;
  simulate::simulate(std::make_shared<const scenario::Scenario>(
                         std::move(std::get<scenario::ReadScenario>(result).scenario)),
                     options);
  std::vector<std::string> lines;
  for (const HoldsLine& line : holds_lines(sink.text())) {
    lines.push_back(fmt::format("{} {}: {}", line.t_us / 1'000'000, line.on, line.nodes));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Holdings, AreToldWhenAJobGetsItsNodesAndWhenItEnds) {
  EXPECT_EQ(recorded("{}"), (Lines{"0 job:a: 0-1", "1000 job:a: "}));
}

// Declared dead at 165 s, polled at 166 s. Ray gives all of them back and asks for as many; the
// spare, node 2, takes the place of node 1, and the 900 s that are left end before a poll of 1,068
// s.
TEST(Holdings, AreToldAnewWhereAnotherNodeTakesThePlaceOfALostOne) {
  const Lines lines =
      recorded(R"({"pool":{"spares":1},"job":{"checkpoint":{"every":"100s"}},)"
               R"("faults":[{"kind":"node_crash","target":"node:p-1","at":"150s"}]})");
  EXPECT_EQ(lines, (Lines{"0 job:a: 0-1", "166 job:a: ", "166 job:a: 0,2", "1068 job:a: "}));
}

// Agents start their workers again where they are, and nothing changes hands.
TEST(Holdings, AreNotToldAgainWhereTheyStayTheSame) {
  const Lines lines = recorded(
      R"({"job":{"checkpoint":{"every":"100s"},"policy":{"name":"torchrun","config":{"max_failures":null,"max_restarts":3}}},)"
      R"("faults":[{"kind":"worker_crash","target":"job:a/rank:1","at":"150s"}]})");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "0 job:a: 0-1");
}

TEST(Holdings, OfTrialsAreToldByTrial) {
  const Lines lines = recorded(R"({"experiments":[{}]})");
  EXPECT_EQ(lines, (Lines{"0 experiment:x/trial:0: 0", "0 experiment:x/trial:1: 0",
                          "0 experiment:x/trial:2: 1", "0 experiment:x/trial:3: 1",
                          "100 experiment:x/trial:0: ", "100 experiment:x/trial:1: ",
                          "100 experiment:x/trial:2: ", "100 experiment:x/trial:3: "}));
}

}  // namespace
}  // namespace aftershock::sim::world
