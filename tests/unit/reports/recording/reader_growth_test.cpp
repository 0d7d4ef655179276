#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/recording/reader.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::reports {
namespace {

using testing::packed;
using testing::sample_text;

/// A file of which only the first bytes have been written so far.
class GrowingBytes final : public RawBytes {
 public:
  GrowingBytes(std::string_view bytes, const std::size_t& written)
      : bytes_(bytes), written_(&written) {}
  std::ptrdiff_t read(std::span<char> to) override {
    const std::string_view there = bytes_.substr(0, *written_).substr(at_);
    const std::size_t count = std::min(to.size(), there.size());
    std::ranges::copy(there.substr(0, count), to.begin());
    at_ += count;
    return static_cast<std::ptrdiff_t>(count);
  }

 private:
  std::string_view bytes_;
  const std::size_t* written_;
  std::size_t at_ = 0;
};

std::vector<std::string> lines_of(RecordingReader& reader) {
  std::vector<std::string> lines;
  while (const Record* record = reader.next()) {
    lines.emplace_back(record->text);
  }
  return lines;
}

TEST(ReaderGrowth, GoesOnWhereverTheFileEnded) {
  const std::string text = sample_text();
  const std::size_t header = text.find('\n') + 1;
  for (const std::string& bytes : {text, packed(text)}) {
    const bool plain = bytes == text;
    for (std::size_t cut = plain ? header : bytes.size() - 60; cut < bytes.size(); ++cut) {
      std::size_t written = cut;
      RecordingReader reader(std::make_unique<GrowingBytes>(bytes, written), "x.aftershock", true);
      std::vector<std::string> lines = lines_of(reader);
      ASSERT_EQ(reader.result().state, ReadState::kPartial) << cut;
      if (plain) {
        const auto whole = std::ranges::count(text.substr(0, cut), '\n');
        ASSERT_EQ(lines.size(), whole) << cut;
      }
      if (lines.empty()) {
        EXPECT_FALSE(reader.go_on());
        continue;
      }
      written = bytes.size();
      ASSERT_TRUE(reader.go_on());
      const std::vector<std::string> more = lines_of(reader);
      lines.insert(lines.end(), more.begin(), more.end());
      ASSERT_EQ(reader.result().state, ReadState::kComplete) << cut << reader.result().message;
      std::vector<std::string> expected;
      const ReadResult whole = testing::read_bytes(bytes, &expected);
      EXPECT_EQ(lines, expected);
      EXPECT_EQ(reader.result().hash, whole.hash);
      EXPECT_EQ(reader.position(), static_cast<std::int64_t>(text.size()));
      EXPECT_FALSE(reader.go_on()) << "a run that is over does not grow";
    }
  }
}

TEST(ReaderGrowth, ByteForByte) {
  const std::string text = sample_text();
  std::size_t written = text.find('\n') + 1;
  RecordingReader reader(std::make_unique<GrowingBytes>(text, written), "x.aftershock", true);
  std::vector<std::string> lines = lines_of(reader);
  for (; written < text.size(); ++written) {
    ASSERT_TRUE(reader.go_on());
    const std::vector<std::string> more = lines_of(reader);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  ASSERT_TRUE(reader.go_on());
  EXPECT_EQ(lines_of(reader).size(), 1U) << "the newline was missing";
  EXPECT_EQ(reader.result().state, ReadState::kComplete);
}

TEST(ReaderGrowth, DamageInWhatComesLaterIsFound) {
  std::string text = sample_text();
  std::size_t written = text.find('\n') + 1;
  text.replace(text.find("\"id\":2"), 6, "\"id\":3");
  RecordingReader reader(std::make_unique<GrowingBytes>(text, written), "x.aftershock", true);
  lines_of(reader);
  written = text.size();
  ASSERT_TRUE(reader.go_on());
  lines_of(reader);
  EXPECT_EQ(reader.result().state, ReadState::kCorrupt);
  EXPECT_FALSE(reader.go_on());
}

TEST(ReaderGrowth, WhatDoesNotGrowIsReadToItsLastByte) {
  std::string text = sample_text();
  text.pop_back();
  std::size_t written = text.size();
  RecordingReader reader(std::make_unique<GrowingBytes>(text, written), "x.aftershock");
  lines_of(reader);
  EXPECT_EQ(reader.result().state, ReadState::kComplete);
  EXPECT_FALSE(reader.go_on());
}

TEST(ReaderGrowth, FramesSayWhereACompressedTextMayBeEntered) {
  std::string text;
  std::string bytes;
  for (int i = 0; i < 5; ++i) {
    std::string piece = i == 0 ? sample_text().substr(0, sample_text().find('\n') + 1) : "";
    while (piece.size() < 100'000) {
      piece += R"({"t":)" + std::to_string(i) + R"(,"r":"instant","on":"run","what":"x"})" + "\n";
    }
    text += piece;
    bytes += packed(piece);
  }
  RecordingReader reader(std::make_unique<MemoryBytes>(bytes), "x.aftershock.zst");
  lines_of(reader);
  EXPECT_TRUE(reader.compressed());
  ASSERT_GE(reader.frames().size(), 5U);
  for (const FrameStart& frame : reader.frames()) {
    if (frame.raw < static_cast<std::int64_t>(bytes.size())) {
      TextSource source(std::make_unique<MemoryBytes>(
          std::string_view(bytes).substr(static_cast<std::size_t>(frame.raw))));
      std::string here(1000, '\0');
      std::size_t count = 0;
      ASSERT_EQ(source.read(here, count), TextSource::Status::kMore);
      EXPECT_EQ(here.substr(0, count), text.substr(static_cast<std::size_t>(frame.text), count));
    }
  }
}

}  // namespace
}  // namespace aftershock::reports
