#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aftershock::gui {

/// How far a recording that is being written has come, from the file alone.
struct RunProgress {
  bool has_header = false;  ///< its first line is there: it can be opened
  std::int64_t t_us = 0;    ///< time of the run so far
  /// The scenario's `until`, where a simulated run has one: a live run ends with its job.
  std::optional<std::int64_t> horizon_us{};
};

/// Looks at a plain recording again; `last` is what was known of it. It reads the beginning of the
/// file once, then only its end. Of a compressed one it says no time.
RunProgress look_at_recording(const std::string& path, const RunProgress& last);

/// "3d", "1.5h" in microseconds, as scenarios have them; none for anything else.
std::optional<std::int64_t> duration_us(std::string_view text);

}  // namespace aftershock::gui
