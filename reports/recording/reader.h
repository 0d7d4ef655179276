#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

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
  std::string message;       ///< what is wrong, with the path; empty for kComplete and kStopped

  /// There was a run to read, if perhaps not all of it.
  [[nodiscard]] bool readable() const { return state <= ReadState::kStopped; }
};

/// Called with every whole line in order, the header first. False: stop.
using RecordCallback = std::function<bool(const Record&)>;

/// Streams a recording, plain or compressed; what it is shows in its first bytes, not in its name.
/// Every line is checked, memory is bounded, and no content does harm.
ReadResult read_recording(const std::string& path, const RecordCallback& on_record);

/// The same from bytes at hand; `name` stands for the path in messages.
ReadResult read_recording(std::unique_ptr<RawBytes> bytes, std::string_view name,
                          const RecordCallback& on_record);

}  // namespace aftershock::reports
