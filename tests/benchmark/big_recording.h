#pragma once

#include <cstdint>
#include <string>

namespace aftershock::testing {

/// How large a recording is to be.
struct BigRecording {
  std::int64_t spans = 10'000'000;
  std::int64_t lanes = 100'000;
  std::int64_t open_at_once = 64;
  std::int64_t spans_per_fault = 10'000;
};

/// Writes one as a run writes it: phases of trials, and faults that some of them have for a cause.
/// The same for the same size. Returns what went wrong, or nothing.
std::string write_big_recording(const std::string& path, const BigRecording& size);

}  // namespace aftershock::testing
