#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reports/results/run_store.h"
#include "sim/sweep/vary.h"

// The commands that make one of many runs again, and what is said of a run whose policy failed.
namespace aftershock::sim::cli {

/// "aftershock run FILE --set /a=1 --seed 3": a run of a cell again; `flags` are those that all
/// cells have (overrides_of). None of one whose rates are scaled, which no flag of `run` does.
std::optional<std::string> run_command(const std::string& path, const std::string& flags,
                                       const sweep::Point& parameters, std::uint64_t seed);

/// Takes rows up to the first of that verdict, which `first` is then.
std::function<bool(reports::RunRow&&)> up_to(reports::Verdict verdict,
                                             std::optional<reports::RunRow>& first);

/// "CELL, seed 3: WHY": which run it is, and why it did not go well.
std::string why_of(const reports::StoreHeader& header, const reports::RunRow& run);

/// Why its policy failed, as the run says it, and the command that shows it: a line each on
/// standard error.
void complain_of_policy(const reports::StoreHeader& header, const reports::RunRow& run);

}  // namespace aftershock::sim::cli
