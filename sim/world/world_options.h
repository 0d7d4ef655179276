#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reports/recording/recorder.h"
#include "sim/faults/fault_record.h"

namespace aftershock::sim::world {

/// The options of a world beside its scenario.
struct WorldOptions {
  /// Offsets of percentage phase triggers by fault index, as an earlier run without them gave.
  std::map<std::uint32_t, std::int64_t> trigger_offsets_us;
  reports::LineSink* sink = nullptr;
  const reports::EntityNames* names = nullptr;
  /// Takes every fault that strikes, also those that find nothing to break. Null: nobody does.
  std::vector<faults::FaultRecord>* strikes = nullptr;
  /// The run ends after so many calendar entries, whatever is left to happen: a scenario can ask
  /// for more than anybody can wait for.
  std::int64_t max_entries = 10'000'000;
};

}  // namespace aftershock::sim::world
