#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/scenario/scenario.h"
#include "sim/workload/checkpoint.h"

namespace aftershock::sim::workload {

/// A checkpoint of a trial, as storage holds it.
struct TrialCheckpoint {
  std::uint32_t id = 0;
  std::int64_t steps = 0;          ///< iterations that it holds
  std::int64_t productive_us = 0;  ///< of its trial's account when it was written
  std::uint32_t writer = 0;        ///< experiment whose account that is
};

/// The checkpoints and state of one trial in storage.
struct StoredTrial {
  std::vector<TrialCheckpoint> checkpoints;  ///< by id
  std::uint32_t next_checkpoint = 1;

  /// The checkpoint of this id, null when storage has it no more.
  [[nodiscard]] const TrialCheckpoint* find(std::uint32_t id) const;
  /// The newest one that this experiment wrote, null when there is none.
  [[nodiscard]] const TrialCheckpoint* newest_of(std::uint32_t writer) const;
  /// Removes it, if it is there.
  void remove(std::uint32_t id);
};

/// A file that a crash left cut short, until it is written again.
struct TornFile {
  std::string name{};  ///< empty: none
  std::int64_t at_us = 0;
};

/// The files of a run in storage, whoever ran it: a driver that comes later under its path and name
/// finds it.
struct StoredRun {
  std::uint32_t writer = 0;  ///< job whose driver left it; experiments are counted after the jobs
  std::int64_t write_stamp = 0;  ///< of the writer, when it wrote last
  std::string durable;  ///< of the last controller that is gone, JSON; empty: there was none
  std::string torn;     ///< file of it that is cut short, empty: none
  std::vector<Checkpoint> checkpoints;                     ///< of jobs, that were committed
  std::vector<Leftover> leftovers;                         ///< of jobs
  std::map<std::string, StoredTrial, std::less<>> trials;  ///< of experiments, by name
};

/// The stored text of a controller after a crash in the middle of writing `file`: Ray Train V2
/// keeps one snapshot and the text is cut short; Tune and Train V1 keep theirs beside what they
/// write once.
std::string torn(std::string durable, std::string_view file);

/// The newest session that the stored text of an experiment, or of Train V1, tells of; none where
/// it tells of none that can be read.
std::optional<std::uint32_t> session_of(const nlohmann::json& durable);

/// Storage path and name as people write them. `holder` is a job, or an experiment counted after
/// the jobs; where the name holds "{uuid}", each of its drivers has another. Empty without a name.
std::string run_path(const scenario::RunSpec& run, std::uint32_t holder, std::uint32_t driver);

/// Under which key storage holds the run. One without a name gets a name that no other holder has.
/// `policy` is the name of what wrote it: Train V1 and Tune have the same files, others their own.
std::string run_key(const scenario::RunSpec& run, std::uint32_t holder, std::uint32_t driver,
                    std::string_view policy);

}  // namespace aftershock::sim::workload
