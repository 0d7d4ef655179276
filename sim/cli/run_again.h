#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/results/run_store.h"
#include "sim/sweep/vary.h"

// The commands that make one of many runs again, and what is said of a run whose policy failed.
namespace aftershock::sim::cli {

/// "aftershock run FILE --set /a=1 --seed 3": a run of a cell again; `flags` are those that all
/// cells have (overrides_of). None of one whose rates are scaled, which no flag of `run` does.
std::optional<std::string> run_command(const std::string& path, const std::string& flags,
                                       const Point& parameters, std::uint64_t seed);

/// The first run whose policy failed, of those that are shown.
class PolicyFailures {
 public:
  /// Looks at one; in any order.
  void see(const reports::RunRow& row);
  /// Whether there is one.
  [[nodiscard]] bool any() const { return first_.has_value(); }
  /// Why, as the run says it, and the command that shows it: a line each on standard error.
  void complain_of(const reports::StoreHeader& header) const;

 private:
  std::optional<reports::RunRow> first_;
};

}  // namespace aftershock::sim::cli
