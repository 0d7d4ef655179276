#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::faults {

/// The phase instance that a trigger waits for: when it began and how long it was, as far as the
/// run got, in microseconds.
struct TriggerProbe {
  std::optional<std::int64_t> began_us;
  std::optional<std::int64_t> length_us;
  bool processes = false;      ///< the job had some when it began
  bool committed = false;      ///< and a checkpoint that counts
  bool later_attempt = false;  ///< and an attempt behind it, and a controller that could hear of it
  bool hangs_looked_for = false;  ///< it works, and somebody looks whether it hangs
};

}  // namespace aftershock::sim::faults
