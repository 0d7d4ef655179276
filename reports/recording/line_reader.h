#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "reports/recording/byte_source.h"

namespace aftershock::reports {

/// Longer lines are refused, so that no file can make a reader take all memory.
inline constexpr std::size_t kLineBytesMax = std::size_t{64} << 20U;
/// So many bytes behind a line may be read; the first of them is a newline or zero.
inline constexpr std::size_t kLinePadding = 64;

/// Cuts a text into lines.
class LineReader {
 public:
  /// How a call of next() ended.
  enum class Status : std::uint8_t { kLine, kUnfinished, kEnd, kTooLong };

  explicit LineReader(std::unique_ptr<RawBytes> raw);

  /// Sets `line`, which is good until the next call. kUnfinished: the text ends without a newline
  /// after `line`. After kEnd, and beside kUnfinished, `source_status` says what ended the text.
  Status next(std::string_view& line);

  /// After kEnd or kUnfinished of a text that may have grown by now: reads on. An unfinished line
  /// comes again, whole, if `put_back` was called for it.
  void go_on();
  /// Takes back the unfinished `line` that `next` gave last.
  void put_back(std::string_view line) {
    AFTERSHOCK_ASSERT(line.data() + line.size() == buffer_.data() + begin_);
    begin_ -= line.size();
  }
  /// Where in the text the next line begins, in bytes.
  [[nodiscard]] std::int64_t position() const {
    return read_bytes_ - static_cast<std::int64_t>(end_ - begin_);
  }

  [[nodiscard]] const TextSource& source() const { return source_; }
  [[nodiscard]] TextSource::Status source_status() const { return source_status_; }
  /// The error, in the words of the system or of zstd.
  [[nodiscard]] const std::string& problem() const { return source_.problem(); }

 private:
  bool read_more();

  TextSource source_;
  TextSource::Status source_status_ = TextSource::Status::kMore;
  std::vector<char> buffer_;  ///< always with kLinePadding bytes to spare behind end_
  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;  ///< there is no newline in [begin_, scanned_)
  std::size_t end_ = 0;
  std::int64_t read_bytes_ = 0;
};

}  // namespace aftershock::reports
