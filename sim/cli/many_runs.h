#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cli/scenario_options.h"
#include "sim/sweep/plan.h"
#include "sim/sweep/sweep.h"

// Shared parts of the commands that run scenarios many times.
namespace aftershock::sim::cli {

/// No command takes more workers.
inline constexpr std::uint64_t kMostWorkers = 1024;

/// As many as this process may use at a time.
std::uint32_t processors();

/// A whole number from `least` on, for an option; none, with a word on standard error.
std::optional<std::uint64_t> whole_number(std::string_view option, const std::string& text,
                                          std::uint64_t least, std::uint64_t most);

/// The program, with its version and commit: runs of another one may differ.
std::string program_version();

/// A scenario, and which of its jobs is to be broken.
struct JobToBreak {
  scenario::Scenario scenario;
  std::uint32_t job = 0;
};
/// Reads the scenario; the job is that of the name, or the first where none is named. None, with a
/// word on standard error, where there is none, or it has no end. Says so where the scenario has
/// faults, which stay out.
std::optional<JobToBreak> job_to_break(const std::string& path, const ScenarioOptions& options,
                                       const std::string& name);

/// Seconds that another build may take, of --timeout; none, with a word on standard error.
std::optional<std::int64_t> read_timeout(const std::string& text);

/// The plan, or none with a word on standard error; warnings are told there, too.
std::optional<sweep::Plan> planned(const std::string& path, const scenario::ReadOptions& options,
                                   const std::vector<sweep::Point>& points);

/// The header of a file of the plan's results; `path`: of the scenario, as it was given, `flags`:
/// that changed it (overrides_of).
reports::StoreHeader store_header(const sweep::Plan& plan, const std::string& path,
                                  const std::string& flags);

/// A new file of results, or one in memory where `out` is empty; none, with a word on standard
/// error, where it cannot be made.
std::optional<reports::RunStore> new_store(const std::string& out,
                                           const reports::StoreHeader& header);

/// A new file of results, one in memory where `out` is empty, or with `resume` one that holds runs
/// of this very plan, to go on with; none, with a word on standard error.
std::optional<reports::RunStore> open_store(const std::string& out, bool resume,
                                            const reports::StoreHeader& header);

/// Says on standard error how many runs are to come; how long they take is measured, and shown with
/// the progress. `done` are there already.
void announce(const ScenarioOptions& shown, const sweep::Plan& plan, std::uint32_t workers,
              std::uint64_t done);

/// The outcome of many runs.
struct MadeRuns {
  int code = 0;  ///< not 0: some are missing, and standard error has a word about it
  sweep::SweepResult result;
};
/// Makes the runs that the store does not have, and shows how far it is. `options` is without
/// what that takes. `go_on` is told where it is interrupted: what there is to do then. `tell_soon`:
/// see Progress.
MadeRuns make_runs(const ScenarioOptions& shown, const sweep::Plan& plan, reports::RunStore& store,
                   sweep::WorkerPool& pool, sweep::SweepOptions options = {},
                   std::string_view go_on = {}, bool tell_soon = false);

/// Host time since it was made, for what people are told of it.
class Stopwatch {
 public:
  Stopwatch();
  /// Microseconds.
  [[nodiscard]] std::int64_t elapsed_us() const;

 private:
  std::int64_t began_us_;
};

/// How far many runs are: on a terminal a line that is written over, elsewhere a line now and then.
/// Goes to standard error, and to nobody where `quiet`.
class Progress {
 public:
  /// `tell_soon`: the first line, from which it can be seen how long all will take, comes early.
  explicit Progress(bool quiet, bool tell_soon = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// So many of so many runs are there; shown when it is time to.
  void show(std::uint64_t done, std::uint64_t total);
  /// Takes the line away.
  void clear();
  /// Whether a second has passed since this was last so.
  bool second_passed();

 private:
  bool quiet_;
  bool tell_soon_;
  bool terminal_;
  bool shown_ = false;
  std::int64_t began_ms_;
  std::int64_t last_ms_;
  std::int64_t second_ms_;
  std::optional<std::uint64_t> first_done_;
};

}  // namespace aftershock::sim::cli
