#include "reports/render/recording_trace.h"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/recording/file_sink.h"
#include "reports/render/chrome_writer.h"
#include "reports/render/csv_cell.h"
#include "reports/render/perfetto_writer.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

/// A file that is gone with this.
class TracedFile {
 public:
  explicit TracedFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               fmt::format("aftershock-trace-{}.aftershock", ::getpid()))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TracedFile() { std::filesystem::remove(path_); }
  TracedFile(const TracedFile&) = delete;
  TracedFile& operator=(const TracedFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Two faults at once on one job, a checkpoint behind training, a span that never ends.
std::string traced_text() {
  return header_line(testing::sample_header()) + R"(
{"t":0,"r":"begin","on":"job:llm","id":1,"what":"attempt","epoch":1,"from":0}
{"t":0,"r":"begin","on":"job:llm","id":2,"what":"training","epoch":1,"cause":-5}
{"t":5,"r":"begin","on":"job:llm","id":3,"what":"uploading","epoch":1,"checkpoint":1}
{"t":6,"r":"begin","on":"job:llm","id":4,"what":"uploading","epoch":1,"checkpoint":2}
{"t":7,"r":"end","id":3}
{"t":8,"r":"begin","on":"job:llm","id":5,"what":"uploading","epoch":1,"checkpoint":3}
{"t":9,"r":"fault","on":"node:gpu-3","number":0,"id":"=spot","kind":"preemption","what":"a, \"b\"","target":"node:gpu-3","outcome":"fired"}
{"t":9,"r":"end","id":2}
{"t":9,"r":"begin","on":"job:llm","id":6,"what":"undetected","epoch":1,"cause":0}
{"t":9,"r":"decision","on":"job:llm","batch":1,"fault":"=spot","saw":[],"steps":[{"rule":"a.b"},{"rule":"c.d"}]}
{"t":9,"r":"counter","on":"job:llm","name":"steps","value":17}
)";
}

TEST(RecordingTrace, ChromesJsonHasEverySpanOnceAndNoTwoOfATrackOverlap) {
  const TracedFile file(traced_text());
  std::string text;
  ChromeWriter writer([&](std::string_view piece) {
    text += piece;
    return true;
  });
  const ReadResult result = write_trace(file.path(), writer);
  EXPECT_EQ(result.state, ReadState::kPartial);  // no end: it was cut off
  const auto json = json_from_text(text);
  std::map<std::int64_t, int> open;  // by track
  std::multiset<std::string> names;
  std::map<std::string, int> phases;
  for (const auto& event : json["traceEvents"]) {
    const std::string phase = event["ph"];
    ++phases[phase];
    int& depth = open[event["tid"].get<std::int64_t>()];
    depth += phase == "B" ? 1 : phase == "E" ? -1 : 0;
    EXPECT_TRUE(depth == 0 || depth == 1) << text_from_json(event);
    if (phase == "B") {
      names.insert(event["name"].get<std::string>());
    }
  }
  EXPECT_EQ(names, (std::multiset<std::string>{"attempt 1", "training", "undetected", "uploading 1",
                                               "uploading 2", "uploading 3"}));
  EXPECT_EQ(phases["E"], 6);
  EXPECT_EQ(phases["i"], 2);
  EXPECT_EQ(phases["C"], 1);
  // From the fault to the span that it caused, and to the decision that answers it.
  EXPECT_EQ(phases["s"], 1);
  EXPECT_EQ(phases["t"], 2);
}

TEST(RecordingTrace, TheTableHasALineEachInOrderOfTime) {
  const TracedFile file(traced_text());
  std::string text;
  write_trace_csv(file.path(), [&](std::string_view piece) {
    text += piece;
    return true;
  });
  EXPECT_EQ(
      text,
      "begin_us,end_us,lane,part,kind,what,number,fault,detail,line\r\n"
      "0,,job:llm,attempts,attempt,attempt 1,1,,\"epoch 1, from 0\",2\r\n"
      "0,9,job:llm,phases,training,training,,,epoch 1,3\r\n"
      "5,7,job:llm,checkpoints,uploading,uploading,1,,\"checkpoint 1, epoch 1\",4\r\n"
      "6,,job:llm,checkpoints,uploading,uploading,2,,\"checkpoint 2, epoch 1\",5\r\n"
      "8,,job:llm,checkpoints,uploading,uploading,3,,\"checkpoint 3, epoch 1\",7\r\n"
      "9,9,node:gpu-3,faults,fault,preemption,,'=spot,\"a, \"\"b\"\", node:gpu-3, fired\",8\r\n"
      "9,,job:llm,phases,undetected,undetected,,'=spot,epoch 1,10\r\n"
      "9,9,job:llm,decisions,decision,a.b,,'=spot,\"a.b, c.d\",11\r\n");
}

TEST(RecordingTrace, ASinkThatRefusesStopsIt) {
  const TracedFile file(traced_text());
  PerfettoWriter writer([](std::string_view) { return false; });
  EXPECT_EQ(write_trace(file.path(), writer).state, ReadState::kStopped);
  EXPECT_EQ(write_trace_csv(file.path(), [](std::string_view) { return false; }).state,
            ReadState::kStopped);
  EXPECT_EQ(write_trace("nowhere.aftershock", writer).state, ReadState::kMissing);
}

TEST(RecordingTrace, PerfettosBytesAreWhatItsSchemaSays) {
  std::string bytes;
  PerfettoWriter writer([&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  writer.add_track("job", 0);
  writer.end(3, 1);
  writer.finish();
  // TracePacket{sequence 1, flags 1, track_descriptor{uuid 1, name "job"}}, then
  // TracePacket{timestamp 3,000 ns, sequence 1, track_event{type END, track 1}}: fields 60, 10, 13,
  // 8 and 11 of perfetto/trace/trace_packet.proto, by hand.
  const std::string expected{
      "\x0a\x0e"
      "\xe2\x03\x07"
      "\x08\x01\x12\x03"
      "job"
      "\x50\x01"
      "\x68\x01"
      "\x0a\x0b"
      "\x40\xb8\x17"
      "\x5a\x04\x48\x02\x58\x01"
      "\x50\x01"};
  EXPECT_EQ(bytes, expected);
}

TEST(CsvCell, IsQuotedAndNoFormula) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},           {"a b", "a b"},
      {"a,b", "\"a,b\""}, {"say \"x\"", "\"say \"\"x\"\"\""},
      {"=1+1", "'=1+1"},  {"-2,3", "\"'-2,3\""},
      {"@x", "'@x"},      {"a\nb", "a b"}};
  for (const auto& [text, cell] : cases) {
    EXPECT_EQ(csv_cell(text), cell);
  }
}

}  // namespace
}  // namespace aftershock::reports
