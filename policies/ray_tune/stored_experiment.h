#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/ray_tune/trial.h"

// The files of an experiment's directory as one JSON text:
//
//   {"tuner": {"trainable", "param_space", "object_refs"},              tuner.pkl
//    "experiment_state": {"session", "num_samples", "trials": [...]}}   newest
//    experiment_state-*.json
//
// A torn tuner.pkl is a text that is not JSON, e.g. one cut short, or has no object "tuner". A torn
// snapshot is an "experiment_state" of any other form than ours, e.g. a string; null or none is one
// that no driver ever finished.
namespace aftershock::policies::ray_tune {

/// tuner.pkl, which is written once, before the first trial.
struct StoredTuner {
  std::string trainable{};
  std::vector<std::string> param_space{};  ///< keys, sorted
  std::vector<std::string> object_refs{};  ///< sorted
};

/// experiment_state-*.json.
struct StoredState {
  std::uint32_t session = 0;
  std::uint32_t num_samples = 0;  ///< how many trials the searcher makes in all
  std::vector<Trial> trials{};    ///< those made so far, by number
};

/// The files that a driver finds in an experiment's directory.
struct StoredExperiment {
  std::optional<StoredTuner> tuner{};  ///< none: cannot be read
  std::optional<StoredState> state{};  ///< none: cannot be read, or is not there
};

/// Reads what a driver finds; never fails, see above.
StoredExperiment read_stored(std::string_view durable);

/// The words that a user sees for a pickle that is empty or torn: the exception, and the way out.
std::string unreadable_pickle(std::string_view file);

/// The same of the newest experiment_state-*.json of `durable`.
std::string unreadable_state(const nlohmann::json& durable);

/// tuner.pkl as JSON.
nlohmann::json to_json(const StoredTuner& tuner);

/// experiment_state-*.json; a count of restore failures is not in it.
nlohmann::json to_json(const StoredState& state);

}  // namespace aftershock::policies::ray_tune
