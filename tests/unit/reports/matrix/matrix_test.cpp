#include "reports/matrix/matrix.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/matrix/outputs.h"

namespace aftershock::reports {
namespace {

MatrixReport two_by_two() {
  MatrixReport report;
  report.path = "some where/ring.json";
  report.scenario = "ring <b>";
  report.policy = "ray_train";
  report.options = " --policy ray_train";
  report.rows = {{"P00", "training", "nothing is lost"}, {"P11", "rendezvous", {}}};
  report.columns = {{"F01", "exit", {}}, {"F03", "node loss", {}}};
  report.cells = {
      {0, 0, "training/F01/x/entry", "P00 F01", CellState::kRecovered, {}, Verdict::kPassed, 1},
      {0, 1, "training/F03/x/entry", "P00 F03", CellState::kExcluded, "no such node"},
      {1, 0, "rendezvous/F01/x/entry", "P11 F01", CellState::kEnded, "exhausted(a)"},
      {1, 1, "rendezvous/F03/x/entry", "P11 F03", CellState::kFinding, "invariant S07 violated",
       Verdict::kFailed, 2},
  };
  return report;
}

TEST(MatrixReport, RedIsWhatNobodyHasExplained) {
  for (const auto& [state, red] :
       {std::pair{CellState::kExcluded, false}, std::pair{CellState::kRecovered, false},
        std::pair{CellState::kUnfinished, false}, std::pair{CellState::kEnded, false},
        std::pair{CellState::kLost, false}, std::pair{CellState::kExpected, false},
        std::pair{CellState::kFinding, true}, std::pair{CellState::kUnbitten, true},
        std::pair{CellState::kBroken, true}}) {
    EXPECT_EQ(is_red(state), red) << name_of(state);
  }
}

TEST(MatrixReport, ItsVerdictIsTheWorstOfWhatIsRed) {
  MatrixReport report = two_by_two();
  EXPECT_EQ(verdict_of(report), Verdict::kFailed);
  report.cells[0].state = CellState::kBroken;
  report.cells[0].verdict = Verdict::kInternalError;
  EXPECT_EQ(verdict_of(report), Verdict::kInternalError);
  report.cells[0].state = report.cells[3].state = CellState::kExpected;
  EXPECT_EQ(verdict_of(report), Verdict::kPassed);
}

TEST(MatrixReport, ReasonsAreCountedTheMostFrequentFirst) {
  MatrixReport report = two_by_two();
  report.cells[0].state = report.cells[2].state = CellState::kExcluded;
  report.cells[0].why = "no such node";
  const auto reasons = reasons_of(report, CellState::kExcluded);
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0].why, "no such node");
  EXPECT_EQ(reasons[0].cells, 2);
  EXPECT_EQ(reasons[0].example, "training/F01/x/entry");
}

TEST(MatrixReport, TheTextSaysWhatIsRedAndHowToLookAtIt) {
  const std::string text = matrix_text(two_by_two(), Style{});
  for (const char* part :
       {"3 cells run, 1 cannot be", "0!1", "0+1", "finding P11 F03", "invariant S07 violated",
        "aftershock matrix 'some where/ring.json' --policy ray_train --cell rendezvous/F03/x/entry",
        "1 recovered, 1 ended by the policy, 0 documented findings, 1 red"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(MatrixReport, JsonHasEveryCell) {
  const auto json = matrix_json(two_by_two());
  EXPECT_EQ(json["verdict"], "failed");
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["counts"]["finding"], 1);
  ASSERT_EQ(json["cells"].size(), 4U);
  EXPECT_EQ(json["cells"][1]["why"], "no such node");
  EXPECT_FALSE(json["cells"][1].contains("hash"));
  EXPECT_EQ(json["cells"][3]["hash"], "0000000000000002");
}

TEST(MatrixReport, JunitHasACaseACell) {
  const std::string xml = matrix_junit(two_by_two());
  for (const char* part :
       {"tests=\"4\" failures=\"1\" errors=\"0\"", "<skipped message=\"no such node\"",
        "<failure type=\"finding\"", "name=\"P11 rendezvous\" tests=\"2\""}) {
    EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
  }
}

TEST(MatrixReport, NamesAreTextOnThePage) {
  const std::string page = matrix_page(two_by_two());
  EXPECT_EQ(page.find("ring <b>"), std::string::npos);
  EXPECT_NE(page.find("ring &lt;b&gt;"), std::string::npos);
  EXPECT_NE(page.find("class=\"heat-bad\""), std::string::npos);
}

// Pairs of faults are a matrix of the phases of both, under words of their own.
TEST(MatrixReport, WhatItIsOfIsInItsWords) {
  MatrixReport report = two_by_two();
  report.words = {.kind = "Pairs of <faults>",
                  .suite = "pairs",
                  .things = "Pairs",
                  .rows = "first",
                  .excluded = "Not seen",
                  .empty = "nothing was run",
                  .option = "--pair"};
  const std::string page = matrix_page(report);
  for (const char* part : {"Pairs that recovered, of those", "<th scope=\"col\">first</th>",
                           "Pairs that did not recover", "Not seen", "nothing was run.",
                           "--pair rendezvous/F03/x/entry", "Pairs of &lt;faults&gt;"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  const std::string xml = matrix_junit(report);
  EXPECT_NE(xml.find("<testsuites name=\"pairs\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("--pair rendezvous/F03/x/entry"), std::string::npos) << xml;
}

}  // namespace
}  // namespace aftershock::reports
