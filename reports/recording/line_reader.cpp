#include "reports/recording/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace aftershock::reports {

namespace {

constexpr std::size_t kFirstBufferBytes = std::size_t{1} << 19U;

}  // namespace

LineReader::LineReader(std::unique_ptr<RawBytes> raw)
    : source_(std::move(raw)), buffer_(kFirstBufferBytes + kLinePadding) {}

LineReader::Status LineReader::next(std::string_view& line) {
  for (;;) {
    const char* from = buffer_.data() + scanned_;
    const void* newline = scanned_ < end_ ? std::memchr(from, '\n', end_ - scanned_) : nullptr;
    if (newline != nullptr) {
      const auto at = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data());
      line = {buffer_.data() + begin_, at - begin_};
      begin_ = at + 1;
      scanned_ = begin_;
      return line.size() > kLineBytesMax ? Status::kTooLong : Status::kLine;
    }
    scanned_ = end_;
    if (end_ - begin_ > kLineBytesMax) {
      return Status::kTooLong;
    }
    if (!read_more()) {
      std::fill_n(buffer_.data() + end_, kLinePadding, '\0');
      line = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      return line.empty() ? Status::kEnd : Status::kUnfinished;
    }
  }
}

bool LineReader::read_more() {
  if (source_status_ != TextSource::Status::kMore) {
    return false;
  }
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (end_ + kLinePadding == buffer_.size()) {
    buffer_.resize(2 * (buffer_.size() - kLinePadding) + kLinePadding);
  }
  std::size_t count = 0;
  source_status_ =
      source_.read(std::span(buffer_).subspan(end_, buffer_.size() - kLinePadding - end_), count);
  end_ += count;
  read_bytes_ += static_cast<std::int64_t>(count);
  return count > 0;
}

void LineReader::go_on() {
  AFTERSHOCK_ASSERT(source_status_ != TextSource::Status::kMore);
  source_.go_on();
  source_status_ = TextSource::Status::kMore;
  scanned_ = begin_;
}

}  // namespace aftershock::reports
