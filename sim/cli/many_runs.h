#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cli/scenario_options.h"
#include "sim/sweep/plan.h"
#include "sim/sweep/sweep.h"

// What the commands share that run scenarios many times.
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

/// The job of that name, or the first where none is named; none, with a word on standard error,
/// where there is none. Says so where the scenario has faults, which stay out.
std::optional<std::uint32_t> job_to_break(const std::string& path, const Scenario& scenario,
                                          const std::string& name);

/// Seconds that another build may take, of --timeout; none, with a word on standard error.
std::optional<std::int64_t> read_timeout(const std::string& text);

/// The plan, or none with a word on standard error; warnings are told there, too.
std::optional<Plan> planned(const std::string& path, const ReadOptions& options,
                            const std::vector<Point>& points);

/// What a file of the plan's results says about itself; `path`: of the scenario, as it was given.
reports::StoreHeader store_header(const Plan& plan, const std::string& path);

/// A new file of results, or one in memory where `out` is empty; none, with a word on standard
/// error, where it cannot be made.
std::optional<reports::RunStore> new_store(const std::string& out,
                                           const reports::StoreHeader& header);

/// What many runs came to.
struct MadeRuns {
  int code = 0;  ///< not 0: some are missing, and standard error has a word about it
  SweepResult result;
};
/// Makes the runs that the store does not have, and shows how far it is. `options` is without
/// what that takes. `go_on` is told where it is interrupted: what there is to do then.
MadeRuns make_runs(const ScenarioOptions& shown, const Plan& plan, reports::RunStore& store,
                   Crew& crew, SweepOptions options = {}, std::string_view go_on = {});

/// How far many runs are: on a terminal a line that is written over, elsewhere a line now and then.
/// Goes to standard error, and to nobody where `quiet`.
class Progress {
 public:
  explicit Progress(bool quiet);
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
  bool terminal_;
  bool shown_ = false;
  std::int64_t began_ms_;
  std::int64_t last_ms_;
  std::int64_t second_ms_;
  std::optional<std::uint64_t> first_done_;
};

}  // namespace aftershock::sim::cli
