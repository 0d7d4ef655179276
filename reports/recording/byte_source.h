#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"

struct ZSTD_DCtx_s;

namespace aftershock::reports {

/// Bytes as they lie in a file, from its beginning.
class RawBytes {
 public:
  virtual ~RawBytes() = default;
  /// Fills the beginning of `to`, returns how much; 0 at the end; negative: minus an error number.
  virtual std::ptrdiff_t read(std::span<char> to) = 0;
};

/// Bytes at hand, which must outlive it.
class MemoryBytes final : public RawBytes {
 public:
  explicit MemoryBytes(std::string_view bytes) : left_(bytes) {}
  std::ptrdiff_t read(std::span<char> to) override;

 private:
  std::string_view left_;
};

/// The bytes of an open file descriptor, which is its to close.
class FileBytes final : public RawBytes {
 public:
  explicit FileBytes(int file) : file_(file) { AFTERSHOCK_ASSERT(file >= 0); }
  ~FileBytes() override;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  std::ptrdiff_t read(std::span<char> to) override;

 private:
  int file_;
};

/// Where a zstd frame begins, in bytes from the beginning of the file and of its text.
struct FrameStart {
  std::int64_t raw = 0;
  std::int64_t text = 0;
};

/// The text of a recording, whether its bytes are plain or zstd frames; the first bytes tell.
class TextSource {
 public:
  /// How a read ended.
  enum class Status : std::uint8_t {
    kMore,
    kEnd,
    kCut,         ///< compressed bytes that end within a frame
    kDamaged,     ///< compressed bytes that cannot be decompressed
    kUnreadable,  ///< the system gave an error
  };

  explicit TextSource(std::unique_ptr<RawBytes> raw);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// Fills the beginning of `to` and sets `count`, which is not 0 with kMore.
  Status read(std::span<char> to, std::size_t& count);
  /// The error, in the words of the system or of zstd.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// After kEnd or kCut: there may be more bytes by now.
  void go_on() { raw_ended_ = false; }

  /// Known after the first read.
  [[nodiscard]] bool compressed() const { return decompressor_ != nullptr; }
  /// Of the frames read so far: the first, and each that begins 64 KiB of text after the last kept.
  [[nodiscard]] const std::vector<FrameStart>& frames() const { return frames_; }

 private:
  bool refill();
  void note_frame(std::int64_t text_at);
  bool looks_compressed();
  Status read_plain(std::span<char> to, std::size_t& count);
  Status read_compressed(std::span<char> to, std::size_t& count);

  std::unique_ptr<RawBytes> raw_;
  std::vector<char> in_;
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  bool started_ = false;
  bool raw_ended_ = false;
  bool within_frame_ = false;
  std::int64_t raw_bytes_ = 0;   ///< read from `raw_`
  std::int64_t text_bytes_ = 0;  ///< given out, of compressed ones
  std::vector<FrameStart> frames_{FrameStart{}};
  ZSTD_DCtx_s* decompressor_ = nullptr;
  std::string problem_;
};

}  // namespace aftershock::reports
