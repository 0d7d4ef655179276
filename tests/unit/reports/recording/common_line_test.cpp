#include "reports/recording/common_line.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/recording/line_reader.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::reports {
namespace {

/// A line with the bytes behind it that a reader sees to.
class Padded {
 public:
  explicit Padded(std::string line) : size_(line.size()), text_(std::move(line)) {
    text_ += '\n';
    text_.append(kLinePadding, '\0');
  }
  [[nodiscard]] std::string_view line() const { return std::string_view(text_).substr(0, size_); }

 private:
  std::size_t size_;
  std::string text_;
};

bool is_common(const std::string& line) {
  const Padded padded(line);
  Record record;
  return read_common_line(padded.line(), record);
}

TEST(CommonLine, KnowsWhatTheRecorderWrites) {
  constexpr std::string_view kCommon[] = {
      R"({"t":0,"r":"end","id":1})",
      R"({"t":123456789012,"r":"begin","on":"job:llm","id":12345678,"what":"training","cause":-5})",
      R"({"t":12345678,"r":"counter","on":"pool:gpu","name":"nodes_up","value":17})",
      R"({"t":1,"r":"instant","on":"node:a b","what":"isolated","needs":"repair"})",
      R"({"t":1,"r":"fault","on":"run","number":0,"id":"ecc#1","what":"power supply"})",
      R"({"t":-1,"r":"end"})",
      R"({"t":999999999999999999,"r":"end","id":999999999999999999})",
  };
  for (const std::string_view line : kCommon) {
    EXPECT_TRUE(is_common(std::string(line))) << line;
  }
}

TEST(CommonLine, LeavesEverythingElseToTheParser) {
  constexpr std::string_view kOther[] = {
      "",
      R"({"t":0,"r":"end","id":1} )",
      R"({"t":0,"r":"end","id":1}x)",
      R"({"t":0,"r":"end","id":1)",
      R"({"t":0,"r":"end","id":01})",
      R"({"t":0,"r":"end","id":-1})",
      R"({"t":-0,"r":"end","id":1})",
      R"({"t":0,"r":"end","id":1.0})",
      R"({"t":0,"r":"end","id":1e3})",
      R"({"t":1000000000000000000,"r":"end","id":1})",
      R"({"t":0, "r":"end","id":1})",
      R"({"r":"end","t":0,"id":1})",
      R"({"t":0,"r":"end","id":1,})",
      R"({"t":0,"r":"end","t":1})",
      R"({"t":0,"r":"end","r":"begin"})",
      R"({"t":0,"r":"end","records":1})",
      R"({"t":0,"r":"end","schema":1})",
      R"({"t":0,"r":"end","hash":"x"})",
      R"({"t":0,"r":"begin","on":5})",
      R"({"t":0,"r":"begin","what":5})",
      R"({"t":0,"r":"begin","on":"a\"b"})",
      R"({"t":0,"r":"begin","on":"ä"})",
      R"({"t":0,"r":"begin","on":null})",
      R"({"t":0,"r":"begin","x":[1]})",
      R"({"t":0,"r":"begin","x":{}})",
      R"({"t":0,"r":"decision","batch":1})",
      R"({"t":0,"r":"end_of_run","records":1,"check":"x"})",
      R"({"t":0,"r":"something","id":1})",
      "{\"t\":0,\"r\":\"begin\",\"on\":\"a\tb\"}",
  };
  for (const std::string_view line : kOther) {
    EXPECT_FALSE(is_common(std::string(line))) << line;
  }
}

/// The result of a parser for a line, in one text.
std::string said_of(RecordParser& parser, const std::string& line) {
  const Padded padded(line);
  Record record;
  if (const char* problem = parser.parse(padded.line(), record)) {
    return problem;
  }
  return fmt::format("{} {} [{}] [{}] {} {} {} {} [{}]", static_cast<int>(record.kind), record.t_us,
                     record.on, record.what, record.id ? *record.id + 1 : 0,
                     record.cause ? fmt::format("{}", *record.cause) : "-",
                     parser.records().value_or(-1), parser.schema().value_or(-1), parser.hash());
}

TEST(CommonLine, SaysWhatTheParserSays) {
  // A blank at the end is nothing to JSON, and makes a line uncommon.
  std::vector<std::string> lines{
      R"({"t":123456789012,"r":"begin","on":"job:llm","id":12345678,"what":"training","cause":-5})",
      R"({"t":12345678,"r":"begin","on":"node:gpu-3","id":1,"what":"down","fault":12})",
      R"({"t":0,"r":"end","id":1})",
      R"({"t":12,"r":"counter","on":"pool:gpu","name":"nodes_up","value":17})",
      R"({"t":1,"r":"fault","on":"run","number":0,"id":"ecc#1","what":"power","fault":"x"})",
      R"({"t":1,"r":"instant","on":"a","on":"b","id":1,"id":"x","cause":1,"fault":2.5})",
  };
  std::mt19937_64 random(6);
  constexpr std::string_view kBytes =
      "0123456789-+.eE\"\\{}[]:, \t\n\x01\x7f\x80\xc3\xa9nulltrfase";
  RecordParser parser;
  std::int64_t common = 0;
  for (int i = 0; i < 400'000; ++i) {
    std::string line = lines[random() % lines.size()];
    for (auto changes = random() % 3; changes > 0 && !line.empty(); --changes) {
      const std::size_t at = random() % line.size();
      const char byte = kBytes[random() % kBytes.size()];
      switch (random() % 4) {
        case 0:
          line[at] = byte;
          break;
        case 1:
          line.insert(at, 1, byte);
          break;
        case 2:
          line.erase(at, 1 + random() % 3);
          break;
        default: {
          // A piece of another line, so that members come twice and in other orders.
          const std::string& other = lines[random() % lines.size()];
          const std::size_t from = random() % other.size();
          line.insert(at, other.substr(from, random() % 20));
        }
      }
    }
    const std::string said = said_of(parser, line);
    ASSERT_EQ(said, said_of(parser, line + " ")) << line;
    common += is_common(line) ? 1 : 0;
  }
  EXPECT_GT(common, 100'000) << "else nothing was compared";
}

}  // namespace
}  // namespace aftershock::reports
