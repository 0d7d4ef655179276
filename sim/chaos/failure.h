#pragma once

#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/config.h"

namespace aftershock::sim::chaos {

/// The identity of a run's failure, by which two runs are said to fail alike.
struct Failure {
  /// An invariant's id; "stuck: " and what holds the job up (stuck_kind), or "stuck" alone of a run
  /// that is only known by its row; "running" of a job that the simulation's end found in a circle;
  /// "policy_failed" of an external policy; or the place of an expectation that did not hold.
  std::string id;
  std::string words;  ///< as the run tells it
};

/// Whether two runs fail alike: with one id, and policies with the same mistake, whichever batch
/// and numbers are in its words.
bool alike(const Failure& one, const Failure& other);

/// Runs a scenario in this process, or in one of its own where it needs SimGrid, and gives the
/// first of what is wrong. None: the run passed, or was none, because a fault that is required did
/// not fire; or it cannot be read: what is tried may be anything.
std::optional<Failure> failure_of(const nlohmann::ordered_json& scenario, const std::string& name,
                                  const std::shared_ptr<policies::PolicySource>& policies = {});

}  // namespace aftershock::sim::chaos
