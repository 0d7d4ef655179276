#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/workload/checkpoint.h"

namespace aftershock::sim {

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
  std::string run;                            ///< storage path and name
  std::optional<std::uint32_t> found_job{};   ///< whose snapshot it found under that name
  std::optional<std::int64_t> found_steps{};  ///< of the checkpoint that it starts from
  std::string torn{};                         ///< the file that is cut short, empty: none
  bool resumed = false;                       ///< it has started workers from a checkpoint
  std::int64_t started_us = 0;
  std::optional<std::int64_t> ended_us{};
  std::optional<std::uint32_t> ended_by{};  ///< fault
};

/// What a run left in storage, as a later driver under its name finds it.
struct StoredJobRun {
  std::uint32_t writer = 0;  ///< job
  std::string durable;
  std::vector<Checkpoint> checkpoints;
};

}  // namespace aftershock::sim
