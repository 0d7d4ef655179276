#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/checkpoint.h"

namespace aftershock::sim::drivers {

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

/// The files of a run in storage, whoever ran it: a driver that comes later under its path and name
/// finds it.
struct StoredRun {
  std::uint32_t writer = 0;  ///< job whose driver left it; experiments are counted after the jobs
  std::int64_t write_stamp = 0;  ///< of the writer, when it wrote last
  std::string durable;  ///< of the last controller that is gone, JSON; empty: there was none
  std::string torn;     ///< file of it that is cut short, empty: none
  std::vector<workload::Checkpoint> checkpoints;           ///< of jobs, that were committed
  std::vector<workload::Leftover> leftovers;               ///< of jobs
  std::map<std::string, StoredTrial, std::less<>> trials;  ///< of experiments, by name

  /// Whether a job without a trial, as Train V1 has them, found directories of trials, which it
  /// leaves alone: its restore was refused.
  [[nodiscard]] bool refused_to(const std::string& trial) const;

  /// Those that a job has committed take the place of the ones that it left before: in the
  /// directory of the trial, if it has any. It is not refused to it.
  void replace(const std::string& trial, std::vector<workload::Checkpoint> committed);
};

/// The stored text of a controller after a crash in the middle of writing `file`: Ray Train V2
/// keeps one snapshot and the text is cut short; Tune and Train V1 keep theirs beside what they
/// write once.
std::string torn(std::string durable, std::string_view file);

/// Every run that storage has, by its key.
class RunStorage {
 public:
  /// Null where nobody has stored anything under the key.
  [[nodiscard]] const StoredRun* find(const std::string& key) const;

  /// The run under the key; an empty one where nobody has stored anything there.
  [[nodiscard]] StoredRun& at(const std::string& key) { return runs_[key]; }

  /// Files of a job that has another place now, or in the trial's directory another directory.
  /// They are nobody's where nobody has stored a state under the key.
  void leave_behind(const std::string& key, const std::string& trial,
                    std::vector<workload::Leftover> leftovers);

  /// A crash cuts the file of the stored state short, if there is one.
  void tear(const std::string& key, const std::string& file);

  /// The stored state is gone, if there is one. The checkpoints stay, but nobody knows which of
  /// them count.
  void lose_state(const std::string& key);

 private:
  std::map<std::string, StoredRun> runs_;
};

}  // namespace aftershock::sim::drivers
