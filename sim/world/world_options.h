#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reports/recording/recorder.h"
#include "sim/faults/fault_record.h"

namespace aftershock::sim {

/// When the phase instance of a trigger began and how long it was, as far as this run got.
struct TriggerProbe {
  std::optional<std::int64_t> began_us;
  std::optional<std::int64_t> length_us;
  bool processes = false;      ///< the job had some when it began
  bool committed = false;      ///< and a checkpoint that counts
  bool later_attempt = false;  ///< and an attempt behind it, and a controller that could hear of it
  bool hangs_looked_for = false;  ///< it works, and somebody looks whether it hangs
};

/// What a world is made from beside its scenario.
struct WorldOptions {
  /// Offsets of percentage phase triggers by fault index, as an earlier run without them gave.
  std::map<std::uint32_t, std::int64_t> trigger_offsets_us;
  reports::LineSink* sink = nullptr;
  const reports::EntityNames* names = nullptr;
  /// Takes every fault that strikes, also those that find nothing to break. Null: nobody does.
  std::vector<FaultRecord>* strikes = nullptr;
  /// The run ends after so many calendar entries, whatever is left to happen: a scenario can ask
  /// for more than anybody can wait for.
  std::int64_t max_entries = 10'000'000;
};

}  // namespace aftershock::sim
