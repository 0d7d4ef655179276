#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reports/recording/sink.h"

namespace aftershock::reports {

/// Writes a recording to a file: plain, or for a name that ends in ".zst" as zstd frames, one from
/// each boundary to the next. Written bytes are never touched again, and whole boundaries are
/// handed to the system as they come, so a killed run leaves a file that can be read up to there.
class FileSink final : public LineSink {
 public:
  /// The fate of a file of that name that is there.
  enum class Earlier : std::uint8_t {
    kEmptied,  ///< it is written over from the start
    kKept,     ///< the new one is written beside it, and takes its place when it is finished
  };
  /// Creates the file. Look at `error` before a long run.
  explicit FileSink(std::string path, Earlier earlier = Earlier::kEmptied);
  /// Closes the file. It is not finished: without its last record it reads as partial. One that is
  /// written beside an earlier one is dropped.
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void boundary() override;

  /// The first thing that went wrong, with the path; lines after it are dropped.
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }

  /// Writes what is left and closes. Returns `error`. Lines after it are dropped.
  std::optional<std::string> finish();

 private:
  class Compressor;

  void take(std::string_view line) override;
  void fail(std::string_view doing, const std::string& why);
  /// Sends `pending_` on: to the compressor if there is one, else to the file.
  void pass_on(bool end_of_frame);
  void write_all(std::string_view bytes);
  void open(Earlier earlier);
  void settle_part(bool whole);
  void close_file();

  std::string path_;
  std::string part_;  ///< beside an earlier file; empty: `path_` is written to
  int file_ = -1;
  std::optional<std::string> error_;
  std::string pending_;
  std::int64_t written_bytes_ = 0;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace aftershock::reports
