#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aftershock::sim::workload {

/// A head, as long as the simulation has come.
struct Head {
  bool up = true;
  bool returns = false;  ///< a date of return is set
  std::uint32_t restarts = 0;
};

/// One driver of a job, from the start of its process to its end.
struct DriverRun {
  std::uint32_t job = 0;  ///< experiments are counted after the jobs
  std::uint32_t nth = 1;
  std::string run;                               ///< storage path and name
  std::string key;                               ///< of the world's stored runs
  std::optional<std::uint32_t> found_job{};      ///< the job that left the snapshot under that name
  std::optional<std::int64_t> found_steps{};     ///< of the checkpoint that it starts from
  std::string torn{};                            ///< the file that is cut short, empty: none
  std::optional<std::uint32_t> found_session{};  ///< of the newest experiment_state-*.json there
  bool has_session = false;                      ///< it left an experiment_state-*.json of its own
  bool resumed = false;                          ///< it has started workers from a checkpoint
  std::uint32_t presses = 0;                     ///< of Ctrl-C that it has seen
  std::int64_t started_us = 0;
  std::optional<std::int64_t> ended_us{};
  std::optional<std::uint32_t> ended_by{};  ///< fault
};

}  // namespace aftershock::sim::workload
