#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aftershock::reports {

/// Takes what is written, piece by piece; false: it could not, and no more is wanted.
using ByteSink = std::function<bool(std::string_view)>;

/// Bytes that are gathered before they are given away.
inline constexpr std::size_t kTracePiece = std::size_t{1} << 16U;

/// A span that begins, or an instant. All texts are valid UTF-8 without control characters.
struct TraceEvent {
  std::int64_t t_us = 0;
  std::uint64_t track = 0;
  std::string category;
  std::string name;
  std::vector<std::pair<std::string_view, std::string>> notes;  ///< name and text; empty: left out
  std::vector<std::uint64_t> flows;  ///< arrows that begin here, or pass through
  std::optional<std::uint64_t> flow_end;
};

/// Writes a trace for a viewer of traces: tracks, what is on them in the order of time, and
/// counters. Each call is false where the sink refused.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;

  /// A track, below another one (0: none); of two spans on one the later ends first. Its number.
  virtual std::uint64_t add_track(std::string_view name, std::uint64_t parent) = 0;
  /// A track for a number.
  virtual std::uint64_t add_counter(std::string_view name, std::uint64_t parent) = 0;
  virtual bool begin(const TraceEvent& event) = 0;
  /// The span that began last on the track and has not ended.
  virtual bool end(std::int64_t t_us, std::uint64_t track) = 0;
  virtual bool instant(const TraceEvent& event) = 0;
  virtual bool count(std::int64_t t_us, std::uint64_t track, std::int64_t value) = 0;
  /// The same for a number that is not whole.
  virtual bool count(std::int64_t t_us, std::uint64_t track, double value) = 0;
  /// Writes the rest.
  virtual bool finish() = 0;
};

}  // namespace aftershock::reports
