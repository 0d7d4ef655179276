#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::sim::drivers {

/// One driver of a job, from the start of its process to its end.
struct DriverRun {
  std::uint32_t job = 0;  ///< experiments are counted after the jobs
  std::uint32_t nth = 1;
  std::string run;                               ///< storage path and name
  std::string key;                               ///< of the runs in storage
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

/// The newest session that the stored text of an experiment, or of Train V1, tells of; none where
/// it tells of none that can be read.
std::optional<std::uint32_t> session_of(const nlohmann::json& durable);

/// Whether the state that the driver's controller has in storage is of a session of the driver's
/// own, and not of the one that it found.
bool leaves_session(const DriverRun& run, const nlohmann::json& durable);

/// Every driver of all jobs and experiments, by a number each: as they began.
class DriverRuns {
 public:
  /// Notes a driver that begins. Its number from now on.
  std::size_t begin(DriverRun run);

  /// The driver, which runs, is gone at this time: by the fault or, without one, by itself.
  void finish(std::size_t number, std::int64_t t_us, std::optional<std::uint32_t> fault);

  [[nodiscard]] DriverRun& operator[](std::size_t number);
  [[nodiscard]] const DriverRun& operator[](std::size_t number) const;

  /// In the order in which they began.
  [[nodiscard]] const std::vector<DriverRun>& all() const { return runs_; }

 private:
  std::vector<DriverRun> runs_;
};

}  // namespace aftershock::sim::drivers
