// What is kept of the controller in storage: Checkpoints to checkpoint_manager_snapshot.json and
// back. Failure counters, state, world size and attempt ids are not in it.

#include <charconv>
#include <limits>

#include <nlohmann/json.hpp>

#include "policies/ray_train/checkpoints.h"

namespace aftershock::policies::ray_train {
namespace {

using nlohmann::json;

constexpr std::string_view kDirPrefix = "checkpoint_";
constexpr std::size_t kDirDigits = 6;

json result_of(CheckpointId checkpoint) {
  return {{"version", 0},
          {"checkpoint_dir_name", checkpoint_dir_name(checkpoint)},
          {"metrics", json::object()}};
}

std::optional<CheckpointId> read_result(const json& result) {
  if (!result.is_object()) {
    return std::nullopt;
  }
  const auto name = result.find("checkpoint_dir_name");
  const auto metrics = result.find("metrics");
  if (name == result.end() || !name->is_string() || metrics == result.end() ||
      !metrics->is_object()) {
    return std::nullopt;
  }
  return checkpoint_of_dir_name(name->get_ref<const std::string&>());
}

std::optional<std::uint32_t> read_index(const json& value) {
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    return std::nullopt;
  }
  return value.get<std::uint32_t>();
}

/// The member if it is there and an array.
const json* array_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

}  // namespace

std::string checkpoint_dir_name(CheckpointId checkpoint) {
  std::string digits = std::to_string(checkpoint);
  if (digits.size() < kDirDigits) {
    digits.insert(0, kDirDigits - digits.size(), '0');
  }
  return std::string(kDirPrefix) + digits;
}

std::optional<CheckpointId> checkpoint_of_dir_name(std::string_view name) {
  if (!name.starts_with(kDirPrefix)) {
    return std::nullopt;
  }
  const std::string_view digits = name.substr(kDirPrefix.size());
  CheckpointId checkpoint = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), checkpoint);
  if (error != std::errc() || checkpoint_dir_name(checkpoint) != name) {
    return std::nullopt;
  }
  return checkpoint;
}

json Checkpoints::snapshot(std::string_view ray_version) const {
  json results = json::array();
  json indices = json::array();
  for (const Kept& kept : kept_) {
    results.push_back(result_of(kept.checkpoint));
    indices.push_back(kept.report_index);
  }
  return {{"ray_version", ray_version},
          {"checkpoint_results", std::move(results)},
          {"checkpoint_report_indices", std::move(indices)},
          {"latest_checkpoint_result", latest_ ? result_of(*latest_) : json()},
          {"pending_training_results", json::array()},
          {"pending_validation_specs", json::array()},
          {"current_report_index", report_index_},
          {"validated_checkpoint_dir_names", json::array()}};
}

bool Checkpoints::restore(std::string_view snapshot) {
  const json state = json::parse(snapshot, nullptr, false);
  if (!state.is_object()) {
    return false;
  }
  const json* results = array_member(state, "checkpoint_results");
  const json* indices = array_member(state, "checkpoint_report_indices");
  const auto latest = state.find("latest_checkpoint_result");
  const auto current = state.find("current_report_index");
  if (results == nullptr || indices == nullptr || results->size() != indices->size() ||
      latest == state.end() || current == state.end() ||
      array_member(state, "pending_training_results") == nullptr ||
      array_member(state, "pending_validation_specs") == nullptr ||
      array_member(state, "validated_checkpoint_dir_names") == nullptr) {
    return false;
  }
  const auto report_index = read_index(*current);
  const auto latest_id = latest->is_null() ? std::nullopt : read_result(*latest);
  if (!report_index || (!latest->is_null() && !latest_id)) {
    return false;
  }
  std::deque<Kept> kept;
  for (std::size_t entry = 0; entry < results->size(); ++entry) {
    const auto checkpoint = read_result((*results)[entry]);
    const auto index = read_index((*indices)[entry]);
    if (!checkpoint || !index) {
      return false;
    }
    kept.push_back({*checkpoint, *index});
  }
  reported_.clear();
  kept_ = std::move(kept);
  latest_ = latest_id;
  report_index_ = *report_index;
  return true;
}

}  // namespace aftershock::policies::ray_train
