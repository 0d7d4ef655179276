#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/recording/byte_source.h"
#include "reports/recording/record.h"

namespace aftershock::reports {

/// How the reading of a recording ended.
enum class ReadState : std::uint8_t {
  kComplete,  ///< with the record that ends a run
  kPartial,   ///< without it: the run was killed, still runs, or the file was cut
  kStopped,   ///< as the callback wished
  kMissing,
  kDirectory,
  kUnreadable,  ///< the system refused
  kEmpty,
  kNoHeader,  ///< cut within its first line, so that nothing of the run is left
  kNotARecording,
  kOtherSchema,
  kCorrupt,  ///< a line that cannot be one of a recording
};

/// How far a reading came.
struct ReadResult {
  ReadState state = ReadState::kComplete;
  std::int64_t line = 0;     ///< the corrupt one, else the last one that was whole
  std::int64_t t_us = 0;     ///< time of the last whole record
  std::int64_t records = 0;  ///< that a run counts
  std::string hash;          ///< of a complete recording, 16 hex digits
  std::string message;       ///< the error, with the path; empty for kComplete and kStopped

  /// There was a run to read, if perhaps not all of it.
  [[nodiscard]] bool readable() const { return state <= ReadState::kStopped; }
};

/// Streams a recording, plain or compressed, a record at a time; what it is shows in its first
/// bytes, not in its name. Every line is checked, memory is bounded, and no content does harm.
class RecordingReader {
 public:
  /// `name` stands for the path in messages. Of a recording that grows the last line is not taken
  /// before its newline is there.
  RecordingReader(std::unique_ptr<RawBytes> bytes, std::string name, bool grows = false);
  ~RecordingReader();
  RecordingReader(const RecordingReader&) = delete;
  RecordingReader& operator=(const RecordingReader&) = delete;

  /// The next whole line, good until the next call; null when there are no more.
  const Record* next();
  /// How far it came; after the last record, how it ended.
  [[nodiscard]] const ReadResult& result() const;
  /// After the end of one that grows and is partial: there may be more by now. False for any other
  /// end, and for a file whose header was not whole yet: that is to be opened anew.
  bool go_on();

  /// Where in the text the next line begins, in bytes.
  [[nodiscard]] std::int64_t position() const;
  [[nodiscard]] bool compressed() const;
  /// See TextSource::frames.
  [[nodiscard]] const std::vector<FrameStart>& frames() const;

 private:
  class Reading;

  std::unique_ptr<Reading> reading_;
};

/// The bytes of a file from an offset on. Null with `result` set where there are none to read.
std::unique_ptr<RawBytes> open_recording(const std::string& path, ReadResult& result,
                                         std::int64_t from = 0);

/// Called with every whole line in order, the header first. False: stop.
using RecordCallback = std::function<bool(const Record&)>;

/// Gives a whole recording to a callback.
ReadResult read_recording(const std::string& path, const RecordCallback& on_record);

/// The same from bytes at hand; `name` stands for the path in messages.
ReadResult read_recording(std::unique_ptr<RawBytes> bytes, std::string_view name,
                          const RecordCallback& on_record);

}  // namespace aftershock::reports
