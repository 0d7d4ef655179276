#include "gui/export/csv.h"

#include <gtest/gtest.h>

#include "reports/render/csv_cell.h"
#include "tests/unit/gui/export/sample_scene.h"
#include "tests/unit/gui/trace/random_lines.h"

namespace aftershock::gui {
namespace {

using testing::hostile_lines;
using testing::SampleScene;

/// Cells by the letter of RFC 4180.
std::vector<std::vector<std::string>> parsed_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (quoted) {
      if (each == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else if (each == '"') {
        quoted = false;
      } else {
        cell += each;
      }
    } else if (each == '"' && cell.empty()) {
      quoted = true;
    } else if (each == ',') {
      row.push_back(std::move(cell));
      cell.clear();
    } else if (each == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      row.push_back(std::move(cell));
      cell.clear();
      rows.push_back(std::move(row));
      row.clear();
    } else {
      EXPECT_NE(each, '\n') << "a bare line break";
      cell += each;
    }
  }
  EXPECT_TRUE(row.empty() && cell.empty()) << "the last line has no end";
  return rows;
}

std::string written_csv(const SampleScene& sample, const ViewState& state) {
  std::string text;
  EXPECT_TRUE(write_csv(sample.trace, sample.titles, choice_of(*sample.scene, state),
                        [&text](std::string_view bytes) {
                          text += bytes;
                          return true;
                        }));
  return text;
}

TEST(Csv, CellsAreQuotedAndFormulasTold) {
  for (const auto& [text, cell] :
       std::vector<std::pair<std::string, std::string>>{{"plain", "plain"},
                                                        {"", ""},
                                                        {"a,b", "\"a,b\""},
                                                        {"a\"b", "\"a\"\"b\""},
                                                        {"a\r\nb", "a  b"},
                                                        {"=1+1", "'=1+1"},
                                                        {"+1", "'+1"},
                                                        {"-1", "'-1"},
                                                        {"@x", "'@x"},
                                                        {"\tx", "' x"},
                                                        {"=a,\"b\"", "\"'=a,\"\"b\"\"\""},
                                                        {"a=b", "a=b"}}) {
    EXPECT_EQ(reports::csv_cell(text), cell);
  }
}

TEST(Csv, HasEverySpanOnceInOrderOfTimeAndNothingThatDoesHarm) {
  const SampleScene sample(hostile_lines());
  const auto rows = parsed_csv(written_csv(sample, sample.all()));
  const std::vector<std::string> head{"begin_us", "end_us", "lane",  "part",   "kind",
                                      "what",     "number", "fault", "detail", "line"};
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(sample.trace.spans) + 1);
  EXPECT_EQ(rows[0], head);
  std::int64_t before = 0;
  bool has_fault = false;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), head.size());
    EXPECT_GE(std::stoll(rows[i][0]), before);
    before = std::stoll(rows[i][0]);
    for (std::size_t column = 2; column < head.size(); ++column) {
      const std::string& cell = rows[i][column];
      EXPECT_TRUE(cell.empty() || std::string("=+-@").find(cell[0]) == std::string::npos) << cell;
      EXPECT_EQ(cell.find('\a'), std::string::npos);
    }
    if (rows[i][3] == "faults") {
      has_fault = true;
      EXPECT_EQ(rows[i][2], "'=cmd|' /C calc'!A1");
      EXPECT_EQ(rows[i][7], "f,\"1\"");
      EXPECT_EQ(rows[i][8], "f,\"1\", <b>&, @x");
    }
    if (rows[i][4] == "undetected" || rows[i][3] == "marks") {
      EXPECT_EQ(rows[i][7], "f,\"1\"") << "its cause";
    }
    if (rows[i][4] == "restoring") {
      EXPECT_EQ(rows[i][1], "") << "it never ended";
    }
  }
  EXPECT_TRUE(has_fault);
}

TEST(Csv, HasWhatIsSelectedAlone) {
  const SampleScene sample(hostile_lines());
  ViewState state = sample.all();
  const auto job = key_of(sample.scene->directory(), "job:llm/checkpoints");
  ASSERT_TRUE(job);
  state.selection = Selection{.lane = job, .time = {35, 36}};
  const auto rows = parsed_csv(written_csv(sample, state));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1][0], "20");
  EXPECT_EQ(rows[1][5], "uploading");
  EXPECT_EQ(rows[1][6], "2");
  // A group is all that is in it; an instant has no width.
  state.selection->lane = key_of(sample.scene->directory(), "job:llm");
  state.selection->time = {50, 50};
  EXPECT_EQ(parsed_csv(written_csv(sample, state)).size(), 3U);
  state.selection->lane.reset();
  state.selection->time = {40, 41};
  EXPECT_EQ(parsed_csv(written_csv(sample, state)).size(), 4U);
}

TEST(Csv, OfAnyRecordingIsWellFormedAndStopsWhenToldTo) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SampleScene sample(testing::random_lines(seed, 300));
    ViewState state = sample.all();
    state.shown.begin_us = -kFurthest_us;
    const auto rows = parsed_csv(written_csv(sample, state));
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(sample.trace.spans) + 1);
    for (const auto& row : rows) {
      EXPECT_EQ(row.size(), 10U);
    }
    EXPECT_FALSE(write_csv(sample.trace, sample.titles, choice_of(*sample.scene, state),
                           [](std::string_view) { return false; }));
  }
}

}  // namespace
}  // namespace aftershock::gui
