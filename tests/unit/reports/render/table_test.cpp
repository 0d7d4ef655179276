#include "reports/render/table.h"

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

using enum Table::Labels;

Style narrow() {
  Style style;
  style.width = 12;
  return style;
}

TEST(Table, AnElasticColumnGivesWay) {
  Table table({{Table::Align::kLeft, true, 8}, {Table::Align::kRight}});
  table.row({"max_failures=0, spares=0", "1"});
  table.row({"x", "1"});
  EXPECT_EQ(table.text(narrow(), 0), "max...s=0  1\nx          1\n");
}

// The letters by which two lines differ must not be cut out of both.
TEST(Table, LabelsThatDoNotFitAreLettersAndToldWhole) {
  Table table({{.labels = kRows}, {Table::Align::kRight}});
  table.row({"cell", "n"});
  table.row({"fault-detection=false, rates=0.25", "1"});
  table.row({"all=fault-detection, rates=0.25", "22"});
  table.row({"fault-detection=false, rates=0.25", "3"});
  EXPECT_EQ(table.text(narrow(), 0),
            "cell   n\n"
            "A      1\n"
            "B     22\n"
            "A      3\n"
            "A:\n  fault-detection=false,\n  rates=0.25\n"
            "B:\n  all=fault-detection,\n  rates=0.25\n");
  EXPECT_EQ(table.text({}, 0).find("A:"), std::string::npos) << "they fit there";
}

// Names of metrics are short, and a pointer that was asked for may not be.
TEST(Table, OfAnElasticColumnOnlyLongLabelsAreLetters) {
  Table table({{.elastic = true, .columns_min = 8, .labels = kRows}, {Table::Align::kRight}});
  table.row({"mean of", "n"});
  table.row({"alive", "1"});
  table.row({"/jobs/0/lost/us", "22"});
  EXPECT_EQ(table.text(narrow(), 0),
            "mean of   n\nalive     1\nA        22\nA:\n  /jobs/0/lost/us\n");
}

TEST(Table, AColumnThatMayGoIsLeftOutBeforeOthersAreShortened) {
  Table table({{.elastic = true}, {Table::Align::kRight}, {.may_go = true}});
  table.row({"elastic", "n", "gone"});
  EXPECT_EQ(table.width(), 16U);
  EXPECT_EQ(table.text(narrow(), 0), "elastic  n\n");
  EXPECT_EQ(table.text({}, 0), "elastic  n  gone\n");
}

TEST(Table, WhatLabelsShareGoesToTheirHeading) {
  Table table({{.labels = kRows}, {Table::Align::kRight}});
  table.row({"cell", "n"});
  table.row({"policy=ray", "1"});
  table.row({"policy=rigid", "2"});
  EXPECT_EQ(table.text(narrow(), 0), "policy  n\nray     1\nrigid   2\n");
  EXPECT_EQ(table.text({}, 0), "cell          n\npolicy=ray    1\npolicy=rigid  2\n");
}

TEST(Table, LabelsInAHeadingAreLettersToo) {
  Table table({{}, {.labels = kHeading}, {.labels = kHeading}});
  table.row({"mean of", "interval=30min", "interval=60min"});
  table.row({"ettr", "0.9", "0.8"});
  Style style;
  style.width = 20;
  EXPECT_EQ(table.text(style, 0),
            "mean of  A    B\n"
            "ettr     0.9  0.8\n"
            "A: interval=30min\n"
            "B: interval=60min\n");
}

TEST(Table, AShortLabelStaysAsItIs) {
  Table table({{.labels = kRows}, {}});
  table.row({"3", "ten columns and more"});
  EXPECT_EQ(table.text(narrow(), 0), "3  ten columns and more\n");
}

TEST(Table, MarkdownHasEveryCellWholeAndNotesInAColumn) {
  Table table({{.labels = kRows}, {Table::Align::kRight}});
  table.row({"cell", "n"});
  table.row({"a|b", "1"});
  table.note("not\nwell");
  table.row({"c", "2"});
  EXPECT_EQ(table.markdown(),
            "| cell | n | notes |\n"
            "| --- | ---: | --- |\n"
            "| a\\|b | 1 | not well |\n"
            "| c | 2 |  |\n");
}

TEST(TableDeathTest, ARowHasACellForEachColumn) {
  Table table({{Table::Align::kLeft}, {Table::Align::kRight}});
  EXPECT_DEATH(table.note("of nothing"), "assertion failed");
  EXPECT_DEATH(table.row({"one"}), "assertion failed");
}

}  // namespace
}  // namespace aftershock::reports
