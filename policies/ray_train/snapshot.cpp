// The part of the controller that storage keeps: Checkpoints to checkpoint_manager_snapshot.json
// and back. Failure counters, state, world size and attempt ids are not in it.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/ray_train/checkpoints.h"

namespace aftershock::policies::ray_train {
namespace {

using nlohmann::json;

constexpr std::string_view kDirPrefix = "checkpoint_";
constexpr std::size_t kDirDigits = 6;
constexpr double kMillion = 1e6;
/// In millionths: below it every integer is a double of its own.
constexpr double kLargestScore = 9007199254740992.0;

std::optional<std::uint32_t> read_index(const json& value) {
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    return std::nullopt;
  }
  return value.get<std::uint32_t>();
}

/// The lists of directories by what validation made of them, which nothing here validates.
std::span<const char* const> names_lists(SnapshotForm form) {
  static constexpr std::array kLists{"validated_checkpoint_dir_names",
                                     "timed_out_validation_checkpoint_dir_names",
                                     "failed_validation_checkpoint_dir_names"};
  return std::span(kLists).first(form == SnapshotForm::kValidated ? kLists.size() : 1);
}

/// The member if it is there and an array.
const json* array_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? &*found : nullptr;
}

/// The report index of a snapshot that has all members of its form; none where one is missing.
std::optional<std::uint32_t> indexed(const json& state, SnapshotForm form, std::size_t results) {
  const auto current = state.find("current_report_index");
  const json* indices = array_member(state, "checkpoint_report_indices");
  const auto names = names_lists(form);
  const bool whole = current != state.end() && indices != nullptr && indices->size() == results &&
                     array_member(state, "pending_training_results") != nullptr &&
                     array_member(state, "pending_validation_specs") != nullptr &&
                     std::ranges::all_of(names, [&](const char* name) {
                       return array_member(state, name) != nullptr;
                     });
  return whole ? read_index(*current) : std::nullopt;
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

json Checkpoints::result_of(const Kept& kept) const {
  json metrics = json::object();
  if (kept.score_e6) {
    metrics[scoring_.attribute] = static_cast<double>(*kept.score_e6) / kMillion;
  }
  return {{"version", 0},
          {"checkpoint_dir_name", checkpoint_dir_name(kept.checkpoint)},
          {"metrics", std::move(metrics)}};
}

std::optional<Checkpoints::Kept> Checkpoints::read_result(const json& result) const {
  if (!result.is_object()) {
    return std::nullopt;
  }
  const auto name = result.find("checkpoint_dir_name");
  const auto metrics = result.find("metrics");
  if (name == result.end() || !name->is_string() || metrics == result.end() ||
      !metrics->is_object()) {
    return std::nullopt;
  }
  const auto checkpoint = checkpoint_of_dir_name(name->get_ref<const std::string&>());
  if (!checkpoint) {
    return std::nullopt;
  }
  Kept kept{*checkpoint, 0, std::nullopt};
  if (const auto score = metrics->find(scoring_.attribute);
      score != metrics->end() && score->is_number()) {
    const double value = score->get<double>() * kMillion;
    if (std::abs(value) < kLargestScore) {
      kept.score_e6 = std::llround(value);
    }
  }
  return kept;
}

json Checkpoints::snapshot(const Profile& profile) const {
  json results = json::array();
  json indices = json::array();
  json latest = latest_ ? result_of(*latest_) : json();
  for (const Kept& kept : kept_) {
    results.push_back(result_of(kept));
    indices.push_back(kept.report_index);
  }
  if (profile.snapshot_form == SnapshotForm::kVersionZero) {
    return {{"version", 0},
            {"checkpoint_results", std::move(results)},
            {"latest_checkpoint_result", std::move(latest)}};
  }
  json state = {{"ray_version", profile.ray_version},
                {"checkpoint_results", std::move(results)},
                {"checkpoint_report_indices", std::move(indices)},
                {"latest_checkpoint_result", std::move(latest)},
                {"pending_training_results", json::array()},
                {"pending_validation_specs", json::array()},
                {"current_report_index", report_index_}};
  for (const char* name : names_lists(profile.snapshot_form)) {
    state[name] = json::array();
  }
  return state;
}

bool Checkpoints::restore(std::string_view snapshot, const Profile& profile) {
  const json state = json_or_discarded<json>(snapshot);
  if (!state.is_object()) {
    return false;
  }
  const json* results = array_member(state, "checkpoint_results");
  const auto latest = state.find("latest_checkpoint_result");
  if (results == nullptr || (latest == state.end() && !profile.latest_is_listed)) {
    return false;
  }
  const bool has_latest = latest != state.end() && !latest->is_null();
  const auto latest_kept = has_latest ? read_result(*latest) : std::nullopt;
  if (has_latest && !latest_kept) {
    return false;
  }
  auto report_index = static_cast<std::uint32_t>(results->size());
  const json* indices = nullptr;
  if (profile.snapshot_form == SnapshotForm::kVersionZero) {
    // Members that this form lacks are passed over, and nobody compares the number.
    const auto version = state.find("version");
    if (version != state.end() && !version->is_number_integer() && !version->is_boolean()) {
      return false;
    }
  } else {
    const auto read = indexed(state, profile.snapshot_form, results->size());
    if (!read) {
      return false;
    }
    report_index = *read;
    indices = array_member(state, "checkpoint_report_indices");
  }
  std::deque<Kept> kept;
  bool lists_latest = !latest_kept;
  for (std::size_t entry = 0; entry < results->size(); ++entry) {
    auto result = read_result((*results)[entry]);
    const auto index = indices == nullptr ? std::optional(static_cast<std::uint32_t>(entry))
                                          : read_index((*indices)[entry]);
    if (!result || !index) {
      return false;
    }
    result->report_index = *index;
    lists_latest |= latest_kept && result->checkpoint == latest_kept->checkpoint;
    kept.push_back(*result);
  }
  if (profile.latest_is_listed && !lists_latest) {
    return false;
  }
  reported_.clear();
  kept_ = std::move(kept);
  latest_ = latest_kept;
  report_index_ = report_index;
  return true;
}

}  // namespace aftershock::policies::ray_train
