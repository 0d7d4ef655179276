#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/compare/decisions.h"
#include "reports/ledger/summary.h"
#include "reports/results/run_store.h"
#include "sim/scenario/read/read.h"
#include "sim/sweep/vary.h"

namespace aftershock::sim::world {
struct World;
}  // namespace aftershock::sim::world

namespace aftershock::sim::sweep {

/// Says something of a run by its summary and all its decisions.
using TellRun = std::function<std::string(const reports::RunSummary&, const reports::Decisions&)>;

/// A scenario that is run many times, with nothing but its seed changed.
struct PlannedCell {
  reports::Cell about;
  /// The scenario after everything that makes this cell was applied: what workers read. Nobody
  /// looks at the file again, so that it may change meanwhile.
  std::string text;
  std::string name;  ///< how errors call it
  /// Of its first replica; none: the plan's.
  std::optional<std::uint64_t> first_seed{};
  /// Of its replicas only the first so many are run; none: as many as of all. Not for a sweep that
  /// stops where it has enough.
  std::optional<std::uint32_t> replicas{};
  /// In place of `text`: another scenario for every seed, which has a seed of its own.
  /// The row of one that cannot be read is invalid and says why.
  std::function<std::string(std::uint64_t seed)> text_of{};
  std::shared_ptr<policies::PolicySource> policies{};  ///< see Scenario
  std::uint32_t traced = 0;  ///< so many first replicas have rows with the trace of their decisions
};

/// The runs to make: every cell `replicas` times, replica n with seed first_seed + n, whatever the
/// cell, unless that says otherwise: cells meet the same faults.
struct Plan {
  std::vector<PlannedCell> cells;
  std::uint64_t first_seed = 1;
  std::uint32_t replicas = 1;
  std::vector<std::string> pointers;  ///< values beside the metrics
  std::string scenario;               ///< name of the first cell's
  std::function<std::string(const world::World&)>
      marks{};     ///< rows carry what this says of their run
  TellRun told{};  ///< the same, in the place of `marks`; none of the rows is traced then
  std::optional<std::int64_t> max_entries{};  ///< of a run; none: the simulator's own limit

  /// The seed of one run.
  [[nodiscard]] std::uint64_t seed_of(std::uint32_t cell, std::uint32_t replica) const {
    return cells[cell].first_seed.value_or(first_seed) + replica;
  }
  /// How many replicas of one cell are run.
  [[nodiscard]] std::uint32_t replicas_of(std::uint32_t cell) const {
    return std::min(replicas, cells[cell].replicas.value_or(replicas));
  }
};

/// No sweep has more runs of a cell; its seeds stay within what SQLite holds.
inline constexpr std::uint32_t kMostReplicas = 1'000'000'000;

/// A plan, or what is wrong with its scenario.
struct PlanResult {
  Plan plan;
  std::vector<std::string> warnings;
  std::vector<scenario::ScenarioError> errors;  ///< not empty: nothing is planned
  Point wrong_point;                            ///< of the cell that they are of
};
/// Reads and checks the scenario once a point. All errors of the first wrong cell; warnings are
/// told once.
PlanResult make_plan(const std::string& path, const scenario::ReadOptions& options,
                     const std::vector<Point>& points);

/// The maker of the policies of a cell of another process's plan: that of `options`, or installed
/// code; null where there is none.
std::shared_ptr<policies::PolicySource> policies_of(const PlannedCell& cell,
                                                    const scenario::ReadOptions& options);

/// The scenario that a cell runs, which was read without errors when the plan was made.
scenario::Scenario scenario_of(const PlannedCell& cell);

/// The policy of a scenario's first job, as asked for: name@profile, or name.
std::string policy_of(const scenario::Scenario& scenario);

/// Of all that decides what the rows of a plan are, but for their number.
std::uint64_t digest_of(const Plan& plan);

}  // namespace aftershock::sim::sweep
