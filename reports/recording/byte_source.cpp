#include "reports/recording/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include <unistd.h>
#include <zstd.h>

#include "base/assert.h"

namespace aftershock::reports {

namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 18U;
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

}  // namespace

std::ptrdiff_t MemoryBytes::read(std::span<char> to) {
  const std::size_t count = std::min(to.size(), left_.size());
  std::ranges::copy(left_.substr(0, count), to.begin());
  left_.remove_prefix(count);
  return static_cast<std::ptrdiff_t>(count);
}

FileBytes::~FileBytes() { ::close(file_); }

std::ptrdiff_t FileBytes::read(std::span<char> to) {
  for (;;) {
    const ssize_t count = ::read(file_, to.data(), to.size());
    if (count >= 0) {
      return count;
    }
    if (errno != EINTR) {
      return -errno;
    }
  }
}

TextSource::TextSource(std::unique_ptr<RawBytes> raw) : raw_(std::move(raw)), in_(kInputBytes) {
  AFTERSHOCK_ASSERT(raw_ != nullptr);
}

TextSource::~TextSource() { ZSTD_freeDCtx(decompressor_); }

TextSource::Status TextSource::read(std::span<char> to, std::size_t& count) {
  AFTERSHOCK_ASSERT(!to.empty());
  count = 0;
  if (!started_) {
    started_ = true;
    if (looks_compressed()) {
      decompressor_ = ZSTD_createDCtx();
      if (decompressor_ == nullptr) {
        throw std::bad_alloc();
      }
    }
  }
  if (!problem_.empty()) {
    return Status::kUnreadable;
  }
  return decompressor_ != nullptr ? read_compressed(to, count) : read_plain(to, count);
}

/// Adds bytes behind those that are left; false when there are no more or the system refuses.
bool TextSource::refill() {
  if (in_begin_ == in_end_) {
    in_begin_ = 0;
    in_end_ = 0;
  }
  if (raw_ended_) {
    return false;
  }
  const std::ptrdiff_t count = raw_->read(std::span(in_).subspan(in_end_));
  if (count < 0) {
    problem_ = std::generic_category().message(static_cast<int>(-count));
  }
  raw_ended_ = count <= 0;
  in_end_ += static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, count));
  raw_bytes_ += std::max<std::ptrdiff_t>(0, count);
  return count > 0;
}

bool TextSource::looks_compressed() {
  while (in_end_ < kZstdMagic.size() && refill()) {
  }
  const std::string_view first(in_.data(), std::min(in_end_, kZstdMagic.size()));
  // A file that was cut within the magic number is compressed as well.
  return !first.empty() && kZstdMagic.starts_with(first);
}

TextSource::Status TextSource::read_plain(std::span<char> to, std::size_t& count) {
  if (in_begin_ == in_end_ && !raw_ended_ && to.size() >= in_.size()) {
    // Large reads need no copy.
    const std::ptrdiff_t got = raw_->read(to);
    if (got > 0) {
      raw_bytes_ += got;
      count = static_cast<std::size_t>(got);
      return Status::kMore;
    }
    raw_ended_ = true;
    if (got < 0) {
      problem_ = std::generic_category().message(static_cast<int>(-got));
    }
  }
  if (in_begin_ == in_end_ && !refill()) {
    return problem_.empty() ? Status::kEnd : Status::kUnreadable;
  }
  count = std::min(to.size(), in_end_ - in_begin_);
  std::memcpy(to.data(), in_.data() + in_begin_, count);
  in_begin_ += count;
  return Status::kMore;
}

TextSource::Status TextSource::read_compressed(std::span<char> to, std::size_t& count) {
  ZSTD_outBuffer out{to.data(), to.size(), 0};
  while (out.pos == 0) {
    if (in_begin_ == in_end_ && !refill()) {
      if (!problem_.empty()) {
        return Status::kUnreadable;
      }
      // With no input left, output may still wait in the decompressor.
      if (!within_frame_) {
        return Status::kEnd;
      }
    }
    ZSTD_inBuffer in{in_.data(), in_end_, in_begin_};
    const std::size_t in_before = in.pos;
    const std::size_t hint = ZSTD_decompressStream(decompressor_, &out, &in);
    if (ZSTD_isError(hint) != 0) {
      problem_ = ZSTD_getErrorName(hint);
      return Status::kDamaged;
    }
    in_begin_ = in.pos;
    within_frame_ = hint != 0;
    if (!within_frame_) {
      note_frame(text_bytes_ + static_cast<std::int64_t>(out.pos));
    }
    if (out.pos == 0 && in.pos == in_before && raw_ended_ && in_begin_ == in_end_) {
      return within_frame_ ? Status::kCut : Status::kEnd;
    }
  }
  count = out.pos;
  text_bytes_ += static_cast<std::int64_t>(count);
  return Status::kMore;
}

/// The next frame begins at `text_at`. Not every one is kept: a file may be all tiny frames.
void TextSource::note_frame(std::int64_t text_at) {
  constexpr std::int64_t kApartBytes = std::int64_t{1} << 16U;
  if (text_at - frames_.back().text >= kApartBytes) {
    frames_.push_back({raw_bytes_ - static_cast<std::int64_t>(in_end_ - in_begin_), text_at});
  }
}

}  // namespace aftershock::reports
