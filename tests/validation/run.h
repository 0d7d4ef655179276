#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "reports/ledger/summary.h"
#include "sim/faults/fault_record.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/job.h"

// Runs of a scenario file over many seeds.
namespace aftershock::sim::validation {

/// How many seeds a row takes here. Where every run is many times slower, with a sanitizer or
/// without optimisation, an eighth: four standard errors are wider then, and still four. A standard
/// error of a handful of values is none to go by: a row of few seeds takes 12, or as many as it
/// has.
constexpr std::uint64_t seeds(std::uint64_t count) {
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  return std::max((count + 7) / 8, std::min<std::uint64_t>(count, 12));
#else
  return count;
#endif
}

/// A scenario file, its path from the root of the tree, with `--set` arguments and without its
/// expectations, which are about its own seed. None, and a failure of the test, when it cannot be
/// used.
std::optional<scenario::Scenario> read(const std::string& file,
                                       const std::vector<std::string>& sets = {});

/// The figures of one run.
struct FinishedRun {
  std::uint64_t seed = 0;
  reports::RunSummary summary;
  std::vector<faults::FaultRecord> faults;  ///< that fired, in the order in which they did
  std::vector<workload::Recovery>
      recoveries;  ///< of the first job; each has the number of its fault

  [[nodiscard]] const reports::JobSummary& job() const { return summary.jobs.front(); }
  [[nodiscard]] std::int64_t productive_us() const;
  [[nodiscard]] std::int64_t masked() const;  ///< failures that found nothing to break
};

FinishedRun run_once(const scenario::Scenario& scenario, std::uint64_t seed);

/// `take(run)` of the runs with seeds 1 to `count`, in their order. Runs are independent, so half
/// of them go to another core.
template <class Take>
auto over_seeds(const scenario::Scenario& scenario, std::uint64_t count, Take take) {
  using Taken = decltype(take(FinishedRun()));
  static_assert(!std::is_same_v<Taken, bool>, "the elements of such a vector share words");
  std::vector<Taken> taken(count);
  const auto every_other = [&](std::size_t first) {
    for (std::size_t i = first; i < taken.size(); i += 2) {
      taken[i] = take(run_once(scenario, i + 1));
    }
  };
  std::thread odd(every_other, 1);
  every_other(0);
  odd.join();
  return taken;
}

}  // namespace aftershock::sim::validation
