#include "reports/recording/reader.h"

#include <algorithm>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <zstd.h>

#include "reports/recording/file_sink.h"
#include "reports/recording/line_reader.h"
#include "reports/recording/memory_sink.h"
#include "tests/unit/reports/recording/sample_reading.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using testing::packed;
using testing::read_bytes;
using testing::resealed;
using testing::sample_text;
using testing::ScratchFolder;
using testing::with_line;

TEST(Reader, GivesEveryLineWithItsParts) {
  std::vector<std::string> seen;
  const ReadResult result =
      read_recording(std::make_unique<MemoryBytes>(""), "", [](const Record&) { return true; });
  EXPECT_EQ(result.state, ReadState::kEmpty);
  const std::string text = sample_text();
  const ReadResult whole = read_recording(
      std::make_unique<MemoryBytes>(text), "x.aftershock", [&seen](const Record& record) {
        seen.push_back(fmt::format("{} {} {} {} {} {}", record.line, static_cast<int>(record.kind),
                                   record.t_us, record.on, record.what,
                                   record.id ? fmt::format("#{}", *record.id) : "-"));
        return true;
      });
  EXPECT_EQ(whole.state, ReadState::kComplete) << whole.message;
  EXPECT_EQ(whole.records, 8);
  EXPECT_EQ(whole.line, 12);
  EXPECT_EQ(whole.t_us, 10'000'000);
  EXPECT_EQ(whole.hash.size(), 16U);
  EXPECT_EQ(whole.message, "");
  EXPECT_THAT(seen, ::testing::ElementsAre(
                        "1 0 0   -", "2 1 0 job:llm training #1", "3 6 1000000 job:llm  -",
                        "4 5 2500000 node:gpu-3  -", "5 1 2500000 node:gpu-3 repairing #2",
                        "6 3 3000000 accelerator:gpu-3/5 detected -", "7 4 3000000 job:llm  -",
                        "8 2 3000000   #1", "9 2 9000000   #2", "10 8 10000000 job:llm  -",
                        "11 9 10000000   -", "12 10 10000000   -"));
}

TEST(Reader, CompressedIsReadAsPlain) {
  std::vector<std::string> plain;
  std::vector<std::string> compressed;
  read_bytes(sample_text(), &plain);
  const ReadResult result = read_bytes(packed(sample_text()), &compressed);
  EXPECT_EQ(result.state, ReadState::kComplete);
  EXPECT_EQ(plain, compressed);
}

TEST(Reader, FilesOfManyFrames) {
  const ScratchFolder folder;
  for (const char* name : {"run.aftershock", "run.aftershock.zst"}) {
    FileSink sink(folder.file(name));
    const testing::SampleNames names;
    write_header(sink, testing::sample_header());
    Recorder recorder(&sink, &names);
    for (int i = 0; i < 50'000; ++i) {
      recorder.instant(i, testing::sample_node(1), "said",
                       {{"text", 0, std::string(static_cast<std::size_t>(i % 100), 'x')}});
    }
    recorder.end_of_run(50'000);
    ASSERT_EQ(sink.finish(), std::nullopt);
    const ReadResult result = read_recording(folder.file(name), [](const Record&) { return true; });
    EXPECT_EQ(result.state, ReadState::kComplete) << result.message;
    EXPECT_EQ(result.records, 50'000);
    EXPECT_EQ(result.line, 1 + 50'000 + 12 + 1) << "header, records, snapshots, end";
  }
}

TEST(Reader, StopsWhenAskedTo) {
  int calls = 0;
  const std::string text = sample_text();
  const ReadResult result = read_recording(std::make_unique<MemoryBytes>(text), "x",
                                           [&calls](const Record&) { return ++calls < 4; });
  EXPECT_EQ(result.state, ReadState::kStopped);
  EXPECT_EQ(result.line, 4);
  EXPECT_EQ(calls, 4);
}

TEST(Reader, EveryPrefixIsPartial) {
  const std::string text = sample_text();
  EXPECT_EQ(read_bytes("").state, ReadState::kEmpty);
  for (std::size_t size = 1; size + 1 < text.size(); ++size) {
    const std::string prefix = text.substr(0, size);
    std::vector<std::string> lines;
    const ReadResult result = read_bytes(prefix, &lines);
    const bool header = size >= text.find('\n');
    ASSERT_EQ(result.state, header ? ReadState::kPartial : ReadState::kNoHeader)
        << size << ": " << result.message;
    // Whole are the lines with a newline, and one that lacks nothing but that.
    const auto newlines = std::count(prefix.begin(), prefix.end(), '\n');
    ASSERT_EQ(result.line, newlines + (text[size] == '\n' ? 1 : 0)) << size;
    ASSERT_EQ(lines.size(), static_cast<std::size_t>(result.line));
  }
  EXPECT_EQ(read_bytes(text.substr(0, text.size() - 1)).state, ReadState::kComplete)
      << "only the last newline is missing";
}

TEST(Reader, EveryPrefixOfACompressedFileIsPartial) {
  const std::string bytes = packed(sample_text());
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const ReadResult result = read_bytes(bytes.substr(0, size));
    ASSERT_EQ(result.state, result.line > 0 ? ReadState::kPartial : ReadState::kNoHeader)
        << size << ": " << result.message;
  }
}

TEST(Reader, PartialSaysWhereItEnds) {
  const std::string text = sample_text();
  const std::size_t cut = text.find(R"({"t":9000000)");
  EXPECT_EQ(read_bytes(text.substr(0, cut + 5)).message,
            "x.aftershock is partial: it ends after line 8, 3000000 us into the run, without the "
            "end of the run");
  EXPECT_EQ(read_bytes(text.substr(0, 30)).message,
            "x.aftershock ends within its header: nothing of its run is in it");
  EXPECT_FALSE(read_bytes(text.substr(0, 30)).readable());
}

TEST(Reader, UnknownWordsAndMembersAreLeftToTheCaller) {
  const std::string text = resealed(
      with_line(11, R"({"t":10000000,"r":"novelty","deep":{"x":[1,2.5e3,true,null,"\u00e9"]}})"));
  EXPECT_EQ(read_bytes(text).state, ReadState::kComplete) << read_bytes(text).message;
}

TEST(Reader, OtherFilesAreNoRecordings) {
  for (const std::string& text :
       {std::string("hello\n"), std::string("{}\n"), std::string("[]"),
        std::string("{\"r\":\"begin\",\"t\":1}\n"), std::string("\n"), std::string("\0\0\0\0", 4),
        std::string("\x7F"
                    "ELF"),
        std::string("{\"schema\": 1, \"name\": \"quickstart\"}"),
        std::string("{\"r\":\"header\"}\n"), packed("hello")}) {
    const ReadResult result = read_bytes(text);
    EXPECT_EQ(result.state, ReadState::kNotARecording) << text << result.message;
    EXPECT_THAT(result.message, HasSubstr("x.aftershock is not a recording"));
  }
  EXPECT_EQ(read_bytes("{\"r\":\"header\",\"schema\":1,\n").state, ReadState::kCorrupt);
  EXPECT_THAT(read_bytes("\x28\xB5\x2F\xFDnonsense that does not form a frame").message,
              HasSubstr("is corrupt: from its beginning it cannot be decompressed"));
  EXPECT_EQ(read_bytes(packed("")).state, ReadState::kEmpty);
}

TEST(Reader, OtherSchemasAreNamed) {
  const ReadResult result = read_bytes("{\"r\":\"header\",\"schema\":2}\n");
  EXPECT_EQ(result.state, ReadState::kOtherSchema);
  EXPECT_EQ(result.message, "x.aftershock has recording schema 2; this program reads schema 1");
}

TEST(Reader, PathsThatCannotBeRead) {
  const ScratchFolder folder;
  const auto never = [](const Record&) { return true; };
  EXPECT_EQ(read_recording(folder.file("none"), never).state, ReadState::kMissing);
  EXPECT_THAT(read_recording(folder.file("none"), never).message,
              HasSubstr("No such file or directory"));
  EXPECT_EQ(read_recording(folder.path(), never).state, ReadState::kDirectory);
  EXPECT_THAT(read_recording(folder.path(), never).message, HasSubstr("it is a directory"));
  {
    FileSink sink(folder.file("empty"));
  }
  EXPECT_EQ(read_recording(folder.file("empty"), never).state, ReadState::kEmpty);
}

TEST(Reader, DeepNestingIsRefused) {
  for (const int depth : {60, 70, 100'000}) {
    const std::string line = R"({"t":1,"r":"begin","x":)" +
                             std::string(static_cast<std::size_t>(depth), '[') +
                             std::string(static_cast<std::size_t>(depth), ']') + "}";
    EXPECT_EQ(read_bytes(resealed(with_line(2, line))).state == ReadState::kCorrupt, depth > 64)
        << depth;
    // Never closed.
    EXPECT_EQ(read_bytes(with_line(2, line.substr(0, line.size() - 2) + "}")).state,
              ReadState::kCorrupt);
  }
}

TEST(Reader, AnEndlessLineIsRefusedWithBoundedMemory) {
  // 70 MiB of spaces are a few kilobytes of zstd.
  const std::string text =
      header_line(testing::sample_header()) + "\n{\"t\":1," + std::string(70U << 20U, ' ');
  const ReadResult result = read_bytes(packed(text));
  EXPECT_EQ(result.state, ReadState::kCorrupt);
  EXPECT_THAT(result.message, HasSubstr("line 2: it is longer than 64 MiB"));
  EXPECT_EQ(read_bytes(std::string(70U << 20U, '{')).state, ReadState::kNotARecording);
}

TEST(Reader, ALongLineWithinTheLimitIsRead) {
  const std::string text = resealed(with_line(
      11, R"({"t":10000000,"r":"summary","summary":")" + std::string(5U << 20U, 'x') + "\"}"));
  EXPECT_EQ(read_bytes(text).state, ReadState::kComplete);
}

/// Hands out one byte at a time: no place in a line, a frame or the magic number is special.
class DrippingBytes final : public RawBytes {
 public:
  explicit DrippingBytes(std::string_view bytes) : left_(bytes) {}
  std::ptrdiff_t read(std::span<char> to) override { return left_.read(to.first(1)); }

 private:
  MemoryBytes left_;
};

TEST(Reader, PiecesOfAnySizeGiveTheSame) {
  const std::string text = sample_text();
  for (const std::string& bytes : {text, packed(text)}) {
    const ReadResult result = read_recording(std::make_unique<DrippingBytes>(bytes), "x",
                                             [](const Record&) { return true; });
    EXPECT_EQ(result.state, ReadState::kComplete) << result.message;
    EXPECT_EQ(result.line, 12);
  }
}

class FailingBytes final : public RawBytes {
 public:
  explicit FailingBytes(std::string_view bytes) : left_(bytes) {}
  std::ptrdiff_t read(std::span<char> to) override {
    const std::ptrdiff_t count = left_.read(to);
    return count > 0 ? count : -EIO;
  }

 private:
  MemoryBytes left_;
};

TEST(Reader, ErrorsOfTheSystemAreTold) {
  const std::string text = sample_text();
  for (const std::string& bytes :
       {std::string(), text.substr(0, text.size() / 2), packed(text).substr(0, 100)}) {
    const ReadResult result = read_recording(std::make_unique<FailingBytes>(bytes), "x",
                                             [](const Record&) { return true; });
    EXPECT_EQ(result.state, ReadState::kUnreadable);
    EXPECT_EQ(result.message, "cannot read x: Input/output error");
  }
}

}  // namespace
}  // namespace aftershock::reports
