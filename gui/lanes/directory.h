#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/lanes/lane_key.h"
#include "gui/lanes/name_index.h"
#include "reports/recording/header.h"

namespace aftershock::gui {

/// A pool as the header tells of it.
struct PoolNames {
  std::string name;
  std::int64_t racks = 0;
  std::int64_t accelerators = 0;  ///< of a node
  std::int64_t slots = 0;
  std::vector<NumberedNames> nodes;
};

/// The names in a run, as ranges: it takes no more memory than the header, whatever it claims.
struct Directory {
  std::vector<NumberedNames> heads;
  std::vector<NumberedNames> storages;
  std::vector<PoolNames> pools;
  std::vector<std::string> jobs;
  std::vector<std::vector<std::string>> job_budgets;  ///< of the job's policy
  std::vector<std::string> experiments;
  std::vector<std::vector<std::string>> experiment_budgets;
  std::vector<std::int64_t> trials;
  /// Names of counters, which the header does not have.
  std::vector<std::string> counters;

  // The way back from names.
  NameIndex head_index;
  NameIndex storage_index;
  NameIndex node_index;  ///< owner: the pool
  std::map<std::string, std::int64_t, std::less<>> pool_index;
  std::map<std::string, std::int64_t, std::less<>> job_index;
  std::map<std::string, std::int64_t, std::less<>> experiment_index;
  std::map<std::string, std::int64_t, std::less<>> counter_index;
};

/// The directory of a recording; counts below 0 are none, those above 2^40 that many.
Directory make_directory(const reports::RecordingHeader& header,
                         std::vector<std::string> counters = {});

/// The rack of a slot, -1 where the pool has none: slots are spread over racks in runs as even as
/// can be, as the simulator does it.
std::int64_t rack_of(const PoolNames& pool, std::int64_t slot);

/// The lane of an entity as a recording names it: "node:gpu-3", "accelerator:gpu-3/5",
/// "rack:gpu/0", "pool:gpu", "head:h", "storage:s", "job:llm", "experiment:x/trial:3"; and of all
/// that `text_of` makes. None for what the directory does not have.
std::optional<LaneKey> key_of(const Directory& directory, std::string_view text);

/// The lane's text for a file: it stays the same from run to run of a scenario.
std::string text_of(const Directory& directory, const LaneKey& key);

/// The lane's name in the list, below its parents' names: "gpu-3", "rack 0", "5", "attempts".
std::string label_of(const Directory& directory, const LaneKey& key);

}  // namespace aftershock::gui
