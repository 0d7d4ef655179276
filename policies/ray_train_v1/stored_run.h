#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/ray_tune/stored_experiment.h"

// The files of a run's directory as one JSON text: those of its experiment, see
// ray_tune/stored_experiment.h, and trainer.pkl:
//
//   {"trainer": {"class", "datasets"}, "tuner": {...}, "experiment_state": {...}}
//
// A torn or empty trainer.pkl is a text that is not JSON, or has no object "trainer".
namespace aftershock::policies::ray_train_v1 {

/// trainer.pkl: the class of the trainer and what it was made with.
struct StoredTrainer {
  std::string trainer{};
  std::vector<std::string> datasets{};  ///< keys, sorted
};

/// The files that a driver finds in a run's directory.
struct StoredRun {
  std::optional<StoredTrainer> trainer{};  ///< none: cannot be read
  ray_tune::StoredExperiment experiment{};
};

/// Reads what a driver finds; never fails, see above.
StoredRun read_stored_run(std::string_view durable);

/// trainer.pkl as JSON.
nlohmann::json to_json(const StoredTrainer& trainer);

}  // namespace aftershock::policies::ray_train_v1
