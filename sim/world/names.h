#pragma once

#include <string>
#include <string_view>

#include "reports/ledger/bucket.h"
#include "reports/recording/recorder.h"
#include "sim/scenario/phase.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::world {

/// Number of a node in the inventory that policies get: pools in order, slots in order.
std::uint32_t node_number(const scenario::Scenario& scenario, std::uint32_t pool,
                          std::uint32_t index);

/// The phase as recordings name its spans.
reports::Word word_of(scenario::Phase phase);

/// Where the ledger puts the time of a phase that is not one of a background track.
reports::Bucket bucket_of(scenario::Phase phase);

/// The text as a JSON string, quotes included.
std::string json_text(std::string_view text);

/// Entities of recordings by the scenario's names.
class ScenarioNames final : public reports::EntityNames {
 public:
  /// The scenario has to outlive it.
  explicit ScenarioNames(const scenario::Scenario& scenario) : scenario_(scenario) {}
  /// Appends the entity's name with its kind before it, e.g. "node:gpu-3" or "run".
  void append_name(std::string& out, reports::Entity entity) const override;

 private:
  const scenario::Scenario& scenario_;
};

}  // namespace aftershock::sim::world
