#pragma once

#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "reports/ledger/summary.h"

namespace aftershock::sim {

/// What is wrong with a run, so that two runs can be said to fail alike.
struct Failure {
  /// An invariant's id; "stuck"; "running" of a job that the simulation's end found unfinished; or
  /// the place of an expectation that did not hold.
  std::string id;
  std::string words;  ///< as the run tells it
};

/// The first of what is wrong; none: the run passed, or was none, because a fault that is required
/// did not fire.
std::optional<Failure> failure_of(const reports::RunSummary& summary);

/// Runs a scenario in this process, or in one of its own where it needs SimGrid. None also where it
/// cannot be read: what is tried may be anything.
std::optional<Failure> failure_of(const nlohmann::ordered_json& scenario, const std::string& name);

}  // namespace aftershock::sim
