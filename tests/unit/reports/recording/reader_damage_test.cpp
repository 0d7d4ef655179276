#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include "reports/recording/file_sink.h"
#include "reports/recording/reader.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using testing::packed;
using testing::read_bytes;
using testing::read_file;
using testing::resealed;
using testing::sample_text;
using testing::ScratchFolder;
using testing::with_line;

TEST(Reader, CorruptLinesAreNamed) {
  const std::pair<std::string, const char*> table[] = {
      {"", "not a JSON object"},
      {"garbage", "not a JSON object"},
      {"[1]", "not a JSON object"},
      {"{", "not a JSON object"},
      {R"({"t":1,"r":"begin"} x)", "not a JSON object"},
      {R"({"t":1,"r":"begin"}{})", "something after its JSON object"},
      {R"({"t":1,"r":"begin")", "not a JSON object"},
      {R"({"t":1,"r":"begin",})", "not a JSON object"},
      {R"({"t":1 "r":"begin"})", "not a JSON object"},
      {R"({"t":1.5,"r":"begin"})", "a value"},
      {R"({"t":99999999999999999999,"r":"begin"})", "a value"},
      {R"({"t":1,"r":"begin","x":tru})", "a value"},
      {R"({"t":1,"r":"begin","x":nul})", "a value"},
      {R"({"t":1,"r":"begin","x":01})", "a value"},
      {R"({"t":1,"r":"begin","x":"\q"})", "a value"},
      {R"({"t":1,"r":"begin","x":[1,{"y":[}]})", "a value"},
      {R"({"t":1,"r":"begin","x":[1,2})", "a value"},
      {R"({"t":1,"r":7})", "a value"},
      {"{\"t\":1,\"r\":\"begin\",\"x\":\"\xFF\"}", "not a JSON object"},
      {R"({"r":"begin"})", "no \"t\""},
      {R"({"t":1})", "no \"r\""},
      {R"({"r":"header","schema":1})", "second header"},
      {R"({"t":-1,"r":"begin"})", "before that of the line above"},
      {R"({"t":10000000,"r":"end_of_run","hash":"00","records":1})", "but 0 are here"},
      {R"({"t":0,"r":"end_of_run","hash":"00","records":0})", "does not end with a check"},
      {R"({"t":0,"r":"snapshot","records":0,"open":[]})", "does not end with a check"},
      {R"({"t":0,"r":"snapshot","check":"0123456789abcdef"})", "its check does not match"},
  };
  for (const auto& [line, why] : table) {
    for (const bool compressed : {false, true}) {
      std::string text = with_line(2, line);
      const ReadResult result = read_bytes(compressed ? packed(text) : text);
      EXPECT_EQ(result.state, ReadState::kCorrupt) << line;
      EXPECT_THAT(result.message, HasSubstr(why)) << line;
      EXPECT_EQ(result.line, 2) << line;
      EXPECT_THAT(result.message, HasSubstr("line 2: ")) << line;
    }
  }
}

TEST(Reader, NothingComesAfterTheEndOfTheRun) {
  const ReadResult result = read_bytes(sample_text() + "{\"t\":10000000,\"r\":\"begin\"}\n");
  EXPECT_EQ(result.state, ReadState::kCorrupt);
  EXPECT_THAT(result.message, HasSubstr("line 13: it comes after the end of the run"));
}

TEST(Reader, EveryFlippedBitOfAWholeRecordingShows) {
  const std::string text = sample_text();
  ASSERT_EQ(resealed(text), text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      const ReadState state = read_bytes(damaged).state;
      // Without its newline the last line looks like one that was being written.
      ASSERT_TRUE(at + 1 == text.size()
                      ? state == ReadState::kPartial
                      : state == ReadState::kCorrupt || state == ReadState::kNotARecording ||
                            state == ReadState::kOtherSchema)
          << at << " " << bit << ": " << static_cast<int>(state);
    }
  }
}

TEST(Reader, ADamagedLineIsPutBetweenTheChecksAroundIt) {
  MemorySink sink;
  const testing::SampleNames names;
  write_header(sink, testing::sample_header());
  Recorder recorder(&sink, &names);
  for (int i = 0; i < 10'000; ++i) {
    recorder.counter(i, testing::kSampleJob, "step", i);
  }
  recorder.end_of_run(10'000);
  std::string text = sink.text();
  ASSERT_EQ(read_bytes(text).state, ReadState::kComplete) << read_bytes(text).message;
  text.replace(text.find("\"value\":5000}"), 13, "\"value\":5001}");
  EXPECT_THAT(
      read_bytes(text).message,
      HasSubstr("line 8195: its check does not match: a line from 4099 to 8195 is not as it "
                "was written"));
}

TEST(Reader, AMissingLineIsMissed) {
  std::string text = sample_text();
  const std::size_t begin = text.find(R"({"t":1000000)");
  text.erase(begin, text.find('\n', begin) + 1 - begin);
  const ReadResult result = read_bytes(text);
  EXPECT_EQ(result.state, ReadState::kCorrupt);
  EXPECT_THAT(result.message, HasSubstr("it says that the run has 8 records, but 7 are here"));
}

TEST(Reader, DamagedFramesAreCorrupt) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.aftershock.zst");
  FileSink sink(path);
  testing::write_sample(sink);
  ASSERT_EQ(sink.finish(), std::nullopt);
  const std::string bytes = read_file(path);
  std::vector<std::string> whole;
  read_bytes(bytes, &whole);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    // Frames have bits without meaning; all others are covered by a checksum.
    std::vector<std::string> lines;
    if (read_bytes(damaged, &lines).state == ReadState::kComplete) {
      EXPECT_EQ(lines, whole) << at;
    }
  }
  const ReadResult trailing = read_bytes(bytes + "trailing bytes");
  EXPECT_EQ(trailing.state, ReadState::kCorrupt);
  EXPECT_THAT(trailing.message, HasSubstr("after line 12 it cannot be decompressed"));
}

TEST(Reader, HostileBytesDoNoHarm) {
  const std::string text = sample_text();
  const std::string bytes = packed(text);
  std::mt19937 generator(20260101);
  for (int round = 0; round < 20'000; ++round) {
    std::string hostile = round % 4 == 3 ? bytes : text;
    for (unsigned edits = 1 + generator() % 4; edits > 0; --edits) {
      const std::size_t at = generator() % hostile.size();
      static constexpr std::string_view kNasty = "\"\\{}[],:\n\r\t 0e-.tnu\x00\x80\xFF";
      switch (generator() % 4) {
        case 0:
          hostile[at] = static_cast<char>(generator());
          break;
        case 1:
          hostile[at] = kNasty[generator() % kNasty.size()];
          break;
        case 2:
          hostile.erase(at, 1 + generator() % 20);
          break;
        default:
          hostile.insert(at, hostile.substr(generator() % hostile.size(), generator() % 40));
      }
      if (hostile.empty()) {
        break;
      }
    }
    std::int64_t lines = 0;
    const ReadResult result =
        read_recording(std::make_unique<MemoryBytes>(hostile), "x", [&lines](const Record& record) {
          EXPECT_EQ(record.line, ++lines);
          if (record.kind == LineKind::kHeader) {
            parse_header(record.text);
          }
          return true;
        });
    ASSERT_EQ(result.message.empty(), result.state == ReadState::kComplete);
  }
}

}  // namespace
}  // namespace aftershock::reports
