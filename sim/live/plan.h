#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sim/live/backend.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::live {

/// How a plan is to be carried out.
struct PlanOptions {
  Backend backend = Backend::kTorchrun;
  double speed = 1;       ///< all durations of the scenario are divided by it
  bool isolated = false;  ///< the driver has namespaces of its own
};

/// Something that keeps a scenario from being run live, and where.
struct Refusal {
  std::string pointer;  ///< JSON Pointer into the scenario
  std::string why;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

/// All that keeps the scenario from being run live by the backend, in the order of its parts; empty
/// where nothing does.
std::vector<Refusal> refusals(const scenario::Scenario& scenario, const PlanOptions& options);

/// The order to a driver: one line of JSON, durations in seconds. Of a scenario without refusals.
std::string plan_line(const scenario::Scenario& scenario, const PlanOptions& options);

}  // namespace aftershock::sim::live
