#include "reports/recording/file_sink.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <zstd.h>

#include "reports/recording/memory_sink.h"
#include "reports/recording/reader.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using testing::read_file;
using testing::ScratchFolder;

std::string decompress(const std::string& bytes) {
  std::string text;
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    EXPECT_EQ(ZSTD_isError(ZSTD_decompressStream(context.get(), &out, &in)), 0U);
    text.append(piece, 0, out.pos);
  }
  return text;
}

/// Enough lines for several boundaries and for more than one buffer.
void write_long(LineSink& sink, int records) {
  const testing::SampleNames names;
  write_header(sink, testing::sample_header());
  Recorder recorder(&sink, &names);
  for (int i = 0; i < records; ++i) {
    const std::string text(static_cast<std::size_t>(i % 300), static_cast<char>('a' + i % 26));
    recorder.instant(i, testing::sample_node(static_cast<std::uint32_t>(i % 7)), "said",
                     {{"text", 0, text}});
  }
  recorder.end_of_run(records);
}

std::size_t frames_in(const std::string& bytes) {
  std::size_t frames = 0;
  for (std::size_t at = 0; at < bytes.size(); ++frames) {
    const std::size_t size = ZSTD_findFrameCompressedSize(bytes.data() + at, bytes.size() - at);
    EXPECT_EQ(ZSTD_isError(size), 0U);
    at += size;
  }
  return frames;
}

TEST(FileSink, AnEarlierFileIsKeptUntilTheNewOneIsWhole) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.aftershock");
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.file("")), {});
  };
  // The first one can be read while it grows.
  FileSink first(path, FileSink::Earlier::kKept);
  write_long(first, 10);
  first.boundary();
  EXPECT_NE(read_file(path), "");
  EXPECT_EQ(first.finish(), std::nullopt);
  const std::string whole = read_file(path);
  {
    FileSink dropped(path, FileSink::Earlier::kKept);
    write_long(dropped, 20);
    dropped.boundary();
    EXPECT_EQ(read_file(path), whole);
    EXPECT_EQ(files(), 2);
  }
  EXPECT_EQ(read_file(path), whole);
  EXPECT_EQ(files(), 1);
  FileSink again(path, FileSink::Earlier::kKept);
  write_long(again, 20);
  EXPECT_EQ(again.finish(), std::nullopt);
  EXPECT_GT(read_file(path).size(), whole.size());
  EXPECT_EQ(files(), 1);
}

TEST(FileSink, AFileThatIsKeptIsNoneBehindALink) {
  const ScratchFolder folder;
  const std::string other = folder.file("other");
  std::ofstream(other) << "theirs";
  std::filesystem::create_symlink(other, folder.file("run.aftershock"));
  std::filesystem::create_symlink(folder.file("none"), folder.file("dangling.aftershock"));
  FileSink dangling(folder.file("dangling.aftershock"), FileSink::Earlier::kKept);
  EXPECT_THAT(dangling.error().value_or(""), HasSubstr("link"));
  FileSink sink(folder.file("run.aftershock"), FileSink::Earlier::kKept);
  EXPECT_THAT(sink.error().value_or(""), HasSubstr("link"));
  EXPECT_EQ(read_file(other), "theirs");
}

TEST(FileSink, PlainAndCompressedHoldTheSameText) {
  const ScratchFolder folder;
  MemorySink memory;
  FileSink plain(folder.file("run.aftershock"));
  FileSink packed(folder.file("run.aftershock.zst"));
  for (LineSink* sink : {static_cast<LineSink*>(&memory), static_cast<LineSink*>(&plain),
                         static_cast<LineSink*>(&packed)}) {
    write_long(*sink, 20'000);
  }
  ASSERT_GT(memory.text().size(), 2U << 20U);
  EXPECT_EQ(plain.finish(), std::nullopt);
  EXPECT_EQ(packed.finish(), std::nullopt);
  EXPECT_EQ(read_file(folder.file("run.aftershock")), memory.text());
  const std::string bytes = read_file(folder.file("run.aftershock.zst"));
  EXPECT_EQ(decompress(bytes), memory.text());
  EXPECT_LT(bytes.size(), memory.text().size() / 5);
  EXPECT_EQ(frames_in(bytes), memory.boundaries().size() + 1);
}

TEST(FileSink, CompressedBytesAreTheSameEachTime) {
  const ScratchFolder folder;
  for (const char* name : {"a.aftershock.zst", "b.aftershock.zst"}) {
    FileSink sink(folder.file(name));
    write_long(sink, 10'000);
    EXPECT_EQ(sink.finish(), std::nullopt);
  }
  EXPECT_EQ(read_file(folder.file("a.aftershock.zst")), read_file(folder.file("b.aftershock.zst")));
}

TEST(FileSink, AnUnfinishedRunIsThereUpToItsLastBoundary) {
  const ScratchFolder folder;
  for (const char* name : {"run.aftershock", "run.aftershock.zst"}) {
    FileSink sink(folder.file(name));
    const testing::SampleNames names;
    write_header(sink, testing::sample_header());
    Recorder recorder(&sink, &names);
    for (int i = 0; i < kRecordsPerSnapshot + 10; ++i) {
      recorder.counter(i, testing::kSampleJob, "step", i);
    }
    // As if the process had been killed here.
    std::int64_t last_us = 0;
    const ReadResult result = read_recording(folder.file(name), [&](const Record& record) {
      last_us = record.t_us;
      return true;
    });
    EXPECT_EQ(result.state, ReadState::kPartial) << result.message;
    EXPECT_EQ(result.records, kRecordsPerSnapshot);
    EXPECT_EQ(last_us, kRecordsPerSnapshot - 1);
  }
}

TEST(FileSink, TheHeaderIsThereAtOnce) {
  const ScratchFolder folder;
  for (const char* name : {"run.aftershock", "run.aftershock.zst"}) {
    FileSink sink(folder.file(name));
    write_header(sink, testing::sample_header());
    const ReadResult result = read_recording(folder.file(name), [](const Record&) { return true; });
    EXPECT_EQ(result.state, ReadState::kPartial) << result.message;
    EXPECT_EQ(result.line, 1);
  }
}

TEST(FileSink, AnOldFileIsReplaced) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.aftershock");
  for (const std::string text : {"a longer first line", "short"}) {
    FileSink sink(path);
    sink.line(text);
    EXPECT_EQ(sink.finish(), std::nullopt);
    sink.line("after the end");
    EXPECT_EQ(sink.finish(), std::nullopt);
  }
  EXPECT_EQ(read_file(path), "short\n");
}

TEST(FileSink, ErrorsAreKeptWithThePath) {
  const ScratchFolder folder;
  const std::pair<std::string, const char*> table[] = {
      {folder.path(), "Is a directory"},
      {folder.file("no/such/folder/run.aftershock"), "No such file or directory"},
      {"", "No such file or directory"},
  };
  for (const auto& [path, why] : table) {
    FileSink sink(path);
    ASSERT_TRUE(sink.error());
    sink.line("text");
    sink.boundary();
    const auto error = sink.finish();
    ASSERT_TRUE(error);
    EXPECT_THAT(*error, HasSubstr("cannot create the recording " + path));
    EXPECT_THAT(*error, HasSubstr(why));
  }
}

TEST(FileSink, AFullDiskIsTold) {
  if (::access("/dev/full", W_OK) != 0) {
    GTEST_SKIP() << "no /dev/full here";
  }
  FileSink sink("/dev/full");
  sink.line("text");
  EXPECT_FALSE(sink.error()) << "nothing has been written yet";
  sink.boundary();
  ASSERT_TRUE(sink.error());
  EXPECT_EQ(*sink.finish(), "cannot write the recording /dev/full: No space left on device");
}

TEST(FileSink, AClosedPipeIsAnErrorAndNoSignal) {
  const ScratchFolder folder;
  const std::string path = folder.file("pipe.aftershock");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  FileSink sink(path);
  sink.line("text");
  ::close(reader);
  const auto error = sink.finish();
  ASSERT_TRUE(error);
  EXPECT_THAT(*error, HasSubstr("Broken pipe"));
}

}  // namespace
}  // namespace aftershock::reports
